// Every operation of the database fails in turn: in the first evening the first one of each part, then a later one,
// until an evening has no part of so many. Whatever fails says so, nothing that was confirmed is lost, nothing is done
// twice, and what was refused works when it is asked for again.
#include <type_traits>

#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using core::Seq;
using core::Transaction;

namespace {

// An operation may be refused because it, or the one before it, met the fault; then it is asked for again.
template <class Ask>
auto insist(const Ask& ask) {
  auto answer = ask();
  for (int i = 0; i < 2 && !answer; ++i) {
    EXPECT_FALSE(answer.error().empty());
    answer = ask();
  }
  if constexpr (std::is_void_v<typename decltype(answer)::value_type>)
    EXPECT_TRUE(answer.has_value()) << answer.error();
  else
    return value_of(std::move(answer));
}

struct Evening {
  // `n`: of each part, the n-th operation fails.
  Evening(StoreUnderTest& under_test, std::uint64_t n) : store(under_test.make()), under_test_(under_test), n_(n) {}

  void play(const std::vector<Transaction>& transactions, std::size_t from, std::size_t to) {
    begin_part();
    Listener listener;
    const auto journal = insist([&] { return store->open_journal(listener.events(), recovered); });
    ASSERT_TRUE(journal);
    EXPECT_EQ(recovered.last, from == 0 ? Seq{0} : transactions[from - 1].back().seq);
    begin_part();
    for (std::size_t i = from; i < to; ++i) {
      journal->append(transactions[i]);
      if (i % 6 == 0) EXPECT_TRUE(listener.wait_durable(transactions[i].back().seq)) << listener.why();
    }
    EXPECT_TRUE(listener.wait_durable(transactions[to - 1].back().seq)) << listener.why();
    EXPECT_TRUE(listener.orderly());
    EXPECT_EQ(listener.lost(), listener.back());
    if (from > 0) follow(transactions, to);
    EXPECT_TRUE(journal->close());
  }

  void follow(const std::vector<Transaction>& transactions, std::size_t to) {
    begin_part();
    const auto reader = insist([&] { return store->open_reader(); });
    EXPECT_TRUE(insist([&] { return reader->wait_after({}, kPatience); }));
    const auto rows = insist([&] { return reader->read_after(Seq{0}, SIZE_MAX); });
    EXPECT_EQ(rows, rows_of({transactions.begin(), transactions.begin() + static_cast<std::ptrdiff_t>(to)}));
  }

  void rate() {
    begin_part();
    const auto ratings = insist([&] { return store->open_ratings(); });
    core::rating::Games games;
    insist([&] { return ratings->read_new_games(games); });
    core::rating::RatedDay day;
    day.rates = {{"a+1", {1200, 30}}, {"b+1", {800, 30}}};
    insist([&] { return ratings->write_day("2026-11-20", day); });
    const auto days = insist([&] { return ratings->days_of("a+1", 10); });
    EXPECT_EQ(days.size(), 1U);
  }

  // Whether the commit came about is not known if its answer is lost; then the games are there at the second try.
  void import() {
    begin_part();
    insist([&]() -> std::expected<void, std::string> {
      core::Recovery ignored;
      auto journal = store->open_journal({}, ignored);
      if (!journal) return std::unexpected(journal.error());
      if (!(*journal)->close()) return std::unexpected("was not closed");
      auto import = store->begin_import(false);
      if (!import) return std::unexpected(import.error());
      for (const char* csa_id : {"x", "y"}) {
        store::FinishedGame game{.opened = opened(1), .started = {}, .ended = ended(1, 3), .moves = "", .notes = ""};
        game.opened.csa_id = csa_id;
        if (auto added = (*import)->add(game); !added) return std::unexpected(added.error());
      }
      return (*import)->commit();
    });
  }

  std::vector<std::string> games() {
    begin_part();
    const auto found = insist([&]() -> std::expected<std::vector<store::ArchivedGame>, std::string> {
      const auto archive = store->open_archive();
      if (!archive) return std::unexpected(archive.error());
      return (*archive)->games("*", 100);
    });
    std::vector<std::string> ids;
    for (const store::ArchivedGame& game : found) ids.push_back(game.opened.csa_id);
    return ids;
  }

  // Nothing fails any more; whether anything did.
  bool end() {
    reached_ = reached_ || under_test_.operations() >= n_;
    under_test_.fail_at(0);
    return reached_;
  }

  const std::unique_ptr<store::Store> store;
  core::Recovery recovered;

 private:
  void begin_part() {
    end();
    under_test_.fail_at(n_);
  }

  StoreUnderTest& under_test_;
  const std::uint64_t n_;
  bool reached_ = false;
};

}  // namespace

TEST_P(FaultContract, EveryOperationMayFailOnce) {
  constexpr std::size_t kHalf = 14, kTransactions = 28;
  const std::vector<Transaction> transactions = workload(kTransactions);
  std::vector<std::string> expected;
  for (const core::Journaled& row : rows_of(transactions)) {
    if (std::holds_alternative<core::GameEnded>(row.fact)) {
      expected.push_back(opened(core::value(core::game_of(row.fact))).csa_id);
    }
  }
  std::ranges::sort(expected);
  expected.insert(expected.end(), {"x", "y"});
  ASSERT_GT(expected.size(), 3U) << "games have to end";
  const auto& [make, first] = GetParam();
  std::uint64_t n = first;
  for (bool reached = true; reached; n += kFaultCases) {
    SCOPED_TRACE(n);
    const auto under_test = make();
    Evening evening(*under_test, n);
    evening.play(transactions, 0, kHalf);
    evening.play(transactions, kHalf, kTransactions);
    evening.rate();
    evening.import();
    EXPECT_EQ(evening.games(), expected);
    reached = evening.end();
    EXPECT_EQ(under_test->ask("SELECT count(*), count(DISTINCT seq), max(seq) FROM journal"),
              under_test->ask("SELECT max(seq), max(seq), count(*) FROM journal"));
    EXPECT_EQ(under_test->ask("SELECT CAST(coalesce(sum(games), 0) AS bigint) FROM player"),
              under_test->ask("SELECT sum((CASE WHEN black_id <> '' THEN 1 ELSE 0 END)"
                              " + (CASE WHEN white_id <> '' THEN 1 ELSE 0 END)) FROM game"));
    if (HasFailure()) return;
  }
  EXPECT_GT(n, 50U + kFaultCases) << "or nothing was tried";
  RecordProperty("operations", static_cast<int>(n));
}

}  // namespace fuhyo::test
