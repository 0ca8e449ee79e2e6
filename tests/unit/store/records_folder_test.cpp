// Record files behind the journal: whole after whatever failed or was killed, each line of a list once.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/shogi/position.h"
#include "server/store/records/folder.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"

// Every fsync of this program is counted by its file, or fails; it must not be missing where a crash could tell.
// Nothing is written to the real disk, which these tests would only wait for.
namespace {
std::mutex synced_mutex;
std::set<ino_t> synced_files;
std::atomic<bool> syncs_fail{false};
std::atomic<int> failed_syncs{0};
}  // namespace
extern "C" int fsync(int fd) {
  if (syncs_fail) {
    ++failed_syncs;
    errno = EIO;
    return -1;
  }
  struct stat file{};
  if (::fstat(fd, &file) == 0) {
    const std::lock_guard lock(synced_mutex);
    synced_files.insert(file.st_ino);
  }
  return 0;
}
extern "C" int fdatasync(int) { return 0; }

namespace fuhyo::store {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using core::GameId;
using core::Seq;
using test::eventually;

// A journal in memory: gives the facts their seqs and can be read back.
class FakeJournal : public JournalReader {
 public:
  core::Transaction append(std::vector<core::Fact> facts) {
    const std::lock_guard lock(mutex_);
    core::Transaction transaction = script_.transaction(std::move(facts));
    rows_.insert(rows_.end(), transaction.begin(), transaction.end());
    return transaction;
  }
  // Each fact as a transaction, and all rows then.
  std::vector<core::Journaled> append_each(const std::vector<core::Fact>& facts) {
    for (const core::Fact& fact : facts) append({fact});
    return rows_;
  }
  std::expected<std::vector<core::Journaled>, std::string> read_after(Seq after, std::size_t limit) override {
    if (broken) return std::unexpected("database is away");
    const std::lock_guard lock(mutex_);
    ++reads;
    std::vector<core::Journaled> found;
    for (const core::Journaled& row : rows_) {
      if (row.seq > after && found.size() < limit) found.push_back(row);
    }
    return found;
  }
  std::expected<bool, std::string> wait_after(Seq, std::chrono::milliseconds) override { return !broken; }

  std::atomic<bool> broken = false;
  std::atomic<int> reads = 0;

 private:
  std::mutex mutex_;
  std::vector<core::Journaled> rows_;
  test::Script script_;
};

core::GameOpened opened(std::uint64_t id, std::string room = "main") {
  core::GameOpened game;
  game.game = GameId{id};
  game.room = std::move(room);
  game.csa_id = "ev+t-300-10+A+B+2026112104150" + std::to_string(id);
  game.game_name = "t-300-10";
  game.black.name = "A";
  game.white.name = "B";
  game.max_moves = 256;
  game.start_sfen = shogi::Position::kStartSfen;
  game.local_time = "2026/11/21 04:15:07";
  return game;
}

core::MoveMade move(std::uint64_t id, std::string csa) { return {.game = GameId{id}, .csa = std::move(csa)}; }

core::GameEnded resigned(std::uint64_t id) {
  return {.game = GameId{id},
          .kind = core::EndKind::toryo,
          .outcome = core::Outcome::black_wins,
          .plies = 2,
          .line = "%TORYO",
          .final_board = "P1\n+\n",
          .local_time = "2026/11/21 04:16:00"};
}

// All of a game of two moves.
std::vector<core::Fact> game(std::uint64_t id, const std::string& room = "main") {
  return {opened(id, room), move(id, "+7776FU"), move(id, "-3334FU"), resigned(id)};
}

class RecordsFolderTest : public testing::Test {
 protected:
  std::unique_ptr<RecordsFolder> open(std::size_t queued_facts = 1000, std::chrono::milliseconds retry = 5ms) {
    RecordsOptions options;
    options.folder = root;
    options.keep_demo = 2;
    options.queued_facts = queued_facts;
    options.pace = 0ms;
    options.retry = retry;
    options.log = [this](std::string_view line) {
      const std::lock_guard lock(mutex);
      log.emplace_back(line);
    };
    return test::value_of(RecordsFolder::open(std::move(options), journal));
  }
  fs::path path(std::uint64_t id, const std::string& room = "") const {
    return root / room / "2026/11/21" / (opened(id).csa_id + ".csa");
  }
  void follow(RecordsFolder& folder, std::vector<core::Fact> facts) {
    folder.follow({journal.append(std::move(facts))});
  }
  std::ptrdiff_t listed(const fs::path& list) { return std::ranges::count(test::read_file(list), '\n'); }
  std::vector<std::string> logged() {
    const std::lock_guard lock(mutex);
    return log;
  }

  const test::TemporaryFolder temporary;
  const fs::path root = temporary.path();
  FakeJournal journal;
  std::mutex mutex;
  std::vector<std::string> log;
};

// The complete record of a game of two moves.
std::string whole(std::uint64_t id) {
  return "V2\nN+A\nN-B\n'Max_Moves:256\n'Least_Time_Per_Move:0\n$EVENT:" + opened(id).csa_id +
         "\n$START_TIME:2026/11/21 04:15:07\n"
         "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
         "P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
         "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n"
         "+7776FU\nT0\n-3334FU\nT0\n%TORYO\n'P1\n'+\n'summary:toryo:A win:B lose\n'$END_TIME:2026/11/21 04:16:00\n";
}

TEST_F(RecordsFolderTest, ARecordGrowsAndIsCompletedAtTheEnd) {
  const auto folder = open();
  follow(*folder, {opened(1)});
  ASSERT_TRUE(eventually([&] { return test::read_file(path(1)).ends_with("+KY\n+\n"); }));
  follow(*folder, {move(1, "+7776FU")});
  ASSERT_TRUE(eventually([&] { return test::read_file(path(1)).ends_with("+\n+7776FU\nT0\n"); }));
  follow(*folder, {move(1, "-3334FU")});
  follow(*folder, {resigned(1)});
  folder->close();
  EXPECT_EQ(test::read_file(path(1)), whole(1));
  const std::string line =
      "2026/11/21 04:16:00\ttoryo\twin\tA\tB\tlose\t" + path(1).lexically_normal().string() + "\t2\n";
  EXPECT_EQ(test::read_file(root / "00LIST"), line);
  EXPECT_EQ(test::read_file(root / "00LIST.others"), line);
  EXPECT_FALSE(fs::exists(root / "00LIST.floodgate"));
  EXPECT_FALSE(fs::exists(path(1).string() + ".tmp"));
  EXPECT_THAT(logged(), testing::IsEmpty());
}

TEST_F(RecordsFolderTest, RejectedAndAbortedGamesAreNotListed) {
  const auto folder = open();
  const core::GameRejected rejected{.game = GameId{1}, .local_time = "2026/11/21 04:16:00"};
  core::GameEnded aborted = resigned(2);
  aborted.kind = core::EndKind::chudan;
  aborted.outcome = core::Outcome::none;
  follow(*folder, {opened(1), opened(2), rejected, aborted});
  folder->close();
  EXPECT_THAT(test::read_file(path(1)), testing::EndsWith("+KY\n+\n'$END_TIME:2026/11/21 04:16:00\n"));
  EXPECT_THAT(test::read_file(path(2)), testing::EndsWith("+\n%CHUDAN\n'P1\n'+\n'$END_TIME:2026/11/21 04:16:00\n"));
  EXPECT_FALSE(fs::exists(root / "00LIST"));
}

// Whatever point a crash hits, the next start makes the files what they would have been.
TEST_F(RecordsFolderTest, ACrashAnywhereLeavesNothingUndoneOrDoubled) {
  const std::vector<core::Fact> facts = {opened(1),          move(1, "+7776FU"), opened(2),          move(2, "+7776FU"),
                                         move(1, "-3334FU"), resigned(1),        opened(3),          move(2, "-3334FU"),
                                         resigned(2),        move(3, "+7776FU"), move(3, "-3334FU"), resigned(3)};
  const std::vector<core::Journaled> rows = journal.append_each(facts);
  for (std::size_t crash = 0; crash <= rows.size(); ++crash) {
    const fs::path place = root / std::to_string(crash);
    {
      auto first = RecordsProjection::open(place, 2);
      ASSERT_TRUE(first) << first.error();
      for (std::size_t i = 0; i < crash; ++i) {
        first->apply(rows[i]);
        ASSERT_TRUE(first->flush());
        ASSERT_TRUE(i % 2 != 0 || first->save_cursor());
      }
    }  // no close, no last cursor
    std::ofstream(place / "00LIST", std::ios::app) << "torn line without an en";
    auto second = RecordsProjection::open(place, 2);
    ASSERT_TRUE(second) << second.error();
    for (const core::Journaled& row : rows) second->apply(row);
    ASSERT_TRUE(second->flush());
    const std::string list = test::read_file(place / "00LIST");
    EXPECT_EQ(std::ranges::count(list, '\n'), 3) << "crash after " << crash << '\n' << list;
    EXPECT_EQ(list, test::read_file(place / "00LIST.others")) << "crash after " << crash;
    for (std::uint64_t id = 1; id <= 3; ++id) {
      EXPECT_EQ(test::read_file(place / "2026/11/21" / (opened(id).csa_id + ".csa")), whole(id))
          << "crash after " << crash;
    }
  }
}

// Whatever the umask: of whoever starts the server, or the one that it gives itself.
TEST_F(RecordsFolderTest, FilesAndFoldersAreAsOpenAsTheHostSays) {
  const auto mode = [](const fs::path& path) { return static_cast<unsigned>(fs::status(path).permissions()); };
  for (const auto& [umask_now, file, folder] : {std::tuple(0u, 0600u, 0700u), std::tuple(077u, 0640u, 0750u),
                                                std::tuple(077u, 0644u, 0755u), std::tuple(077u, 0664u, 0775u)}) {
    const fs::path place = root / fmt::format("{:o}", file) / "records";
    const mode_t former = ::umask(umask_now);
    auto projection = RecordsProjection::open(place, 2, file);
    ASSERT_TRUE(projection) << projection.error();
    std::uint64_t seq = 0;
    for (const core::Fact& fact : {core::Fact(opened(1)), core::Fact(resigned(1)), core::Fact(opened(2))}) {
      projection->apply({Seq{++seq}, fact});
      ASSERT_TRUE(projection->flush());
    }
    ::umask(former);
    for (const std::uint64_t id : {1u, 2u}) {  // replaced at its end, and as it grows
      EXPECT_EQ(mode(place / "2026/11/21" / (opened(id).csa_id + ".csa")), file) << id;
    }
    for (const char* list : {"00LIST", "00LIST.others"}) EXPECT_EQ(mode(place / list), file) << list;
    for (const char* each : {"..", ".", "2026", "2026/11", "2026/11/21"}) EXPECT_EQ(mode(place / each), folder) << each;
  }
}

// A game that goes on over a restart takes the cursor back to its beginning, and with it games that were listed since.
TEST_F(RecordsFolderTest, ASecondCrashDoublesNothingEither) {
  const std::vector<core::Fact> facts = {opened(1),   opened(2),          resigned(2),        opened(3),
                                         resigned(3), move(1, "+7776FU"), move(1, "-3334FU"), resigned(1)};
  const std::vector<core::Journaled> rows = journal.append_each(facts);
  const auto live = [&](const fs::path& place, std::size_t from, std::size_t to) {
    auto projection = RecordsProjection::open(place, 2);
    ASSERT_TRUE(projection) << projection.error();
    for (std::size_t i = 0; i < to; ++i) {
      if (i == from) projection->caught_up();
      projection->apply(rows[i]);
      ASSERT_TRUE(projection->flush() && projection->save_cursor());
    }
    if (from == to) projection->caught_up();
    ASSERT_TRUE(projection->save_cursor());
  };
  for (std::size_t first = 0; first <= rows.size(); ++first) {
    for (std::size_t second = first; second <= rows.size(); ++second) {
      const fs::path place = root / fmt::format("{}-{}", first, second);
      live(place, 0, first);
      live(place, first, second);
      live(place, second, rows.size());
      EXPECT_EQ(listed(place / "00LIST"), 3) << "crashes after " << first << ", " << second;
      EXPECT_EQ(test::read_file(place / "00LIST"), test::read_file(place / "00LIST.others"));
    }
  }
}

// What a catching-up that is itself cut short leaves behind.
TEST_F(RecordsFolderTest, ACrashWhileItCatchesUpDoublesNothing) {
  const std::vector<core::Journaled> rows = journal.append_each({opened(1), opened(2), resigned(1), resigned(2)});
  const auto apply = [&](std::size_t to, bool cursor) {
    auto projection = RecordsProjection::open(root, 2);
    ASSERT_TRUE(projection) << projection.error();
    for (std::size_t i = 0; i < to; ++i) projection->apply(rows[i]);
    ASSERT_TRUE(projection->flush());
    ASSERT_TRUE(!cursor || projection->save_cursor());
  };
  apply(4, false);
  apply(3, true);
  apply(4, true);
  EXPECT_EQ(listed(root / "00LIST"), 2);
}

TEST_F(RecordsFolderTest, TheNextStartCompletesFromTheJournal) {
  journal.append({opened(1), move(1, "+7776FU")});
  open()->close();
  EXPECT_THAT(test::read_file(path(1)), testing::EndsWith("+7776FU\nT0\n"));
  journal.append({move(1, "-3334FU"), resigned(1)});
  open()->close();
  EXPECT_EQ(test::read_file(path(1)), whole(1));
  const auto reads = journal.reads.load();
  fs::remove(path(1));
  open()->close();
  EXPECT_FALSE(fs::exists(path(1))) << "what the cursor has passed is not touched again";
  EXPECT_LE(journal.reads, reads + 2);
}

TEST_F(RecordsFolderTest, AFullQueueIsMadeUpForFromTheJournal) {
  journal.broken = true;  // holds the thread up before it takes the first transaction
  const auto folder = open(2);
  ASSERT_TRUE(eventually([&] { return !logged().empty(); }));
  for (std::uint64_t id = 1; id <= 9; ++id) {
    follow(*folder, {opened(id), move(id, "+7776FU")});
    follow(*folder, {move(id, "-3334FU"), resigned(id)});
  }
  journal.broken = false;
  ASSERT_TRUE(eventually([&] { return listed(root / "00LIST") == 9; }));
  folder->close();
  for (std::uint64_t id = 1; id <= 9; ++id) EXPECT_EQ(test::read_file(path(id)), whole(id));
  const auto lines = logged();
  EXPECT_EQ(std::ranges::count(lines, "record files are behind; they will be completed from the journal"), 1);
  EXPECT_EQ(std::ranges::count(lines, "record files cannot read the journal: database is away"), 1);
}

TEST_F(RecordsFolderTest, WhatHeldTheThreadUpGetsOneMoreTryAtTheEnd) {
  std::ofstream(root / "2026") << "a file where a folder must be";
  const auto folder = open(1000, 1h);
  ASSERT_TRUE(eventually([&] { return journal.reads > 0; })) << "it has begun";
  follow(*folder, {opened(1), move(1, "+7776FU")});
  ASSERT_TRUE(eventually([&] { return logged().size() == 1; }));
  follow(*folder, {move(1, "-3334FU"), resigned(1)});
  fs::remove(root / "2026");
  folder->close();
  EXPECT_EQ(test::read_file(path(1)), whole(1));
  EXPECT_EQ(listed(root / "00LIST"), 1);
}

// Killed between writing and syncing a line, the server finds it there at its next start and does not write it again.
TEST_F(RecordsFolderTest, LinesOfAFormerLifeAreSyncedByThisOne) {
  open()->close();
  std::ofstream(root / "00LIST") << "a line\n";
  synced_files.clear();
  open()->close();
  struct stat file{};
  EXPECT_EQ(::stat((root / "00LIST").c_str(), &file), 0);
  EXPECT_TRUE(synced_files.contains(file.st_ino));
}

TEST_F(RecordsFolderTest, ADiskThatFailsIsReportedOnceAndRetried) {
  const auto folder = open();
  ASSERT_TRUE(eventually([&] { return journal.reads > 0; })) << "it has begun";
  failed_syncs = 0;
  syncs_fail = true;
  follow(*folder, game(1));
  EXPECT_TRUE(eventually([&] { return failed_syncs >= 3; })) << "it is tried again";
  EXPECT_TRUE(folder->is_failing());
  syncs_fail = false;
  ASSERT_TRUE(eventually([&] { return logged().size() == 2; }));
  EXPECT_FALSE(folder->is_failing());
  folder->close();
  EXPECT_EQ(test::read_file(path(1)), whole(1));
  EXPECT_EQ(listed(root / "00LIST"), 1);
  EXPECT_THAT(logged(), testing::ElementsAre(testing::HasSubstr("fsync"), "record files are written again"));
}

TEST_F(RecordsFolderTest, CloseDoesNotWaitForADiskThatFails) {
  std::ofstream(root / "2026") << "a file where a folder must be";
  {
    const auto folder = open();
    follow(*folder, game(1));
    folder->close();
    EXPECT_THAT(logged().front(), testing::HasSubstr("cannot create folder"));
    EXPECT_THAT(logged().back(), testing::StartsWith("record files are incomplete, the next start completes them"));
  }
  fs::remove(root / "2026");
  open()->close();
  EXPECT_EQ(test::read_file(path(1)), whole(1));
}

TEST_F(RecordsFolderTest, ARecordThatWasTakenAwayIsWrittenAnew) {
  const auto folder = open();
  follow(*folder, {opened(1)});
  ASSERT_TRUE(eventually([&] { return fs::exists(path(1)); }));
  fs::remove_all(root / "2026");
  follow(*folder, {move(1, "+7776FU")});
  ASSERT_TRUE(eventually([&] { return test::read_file(path(1)).ends_with("+7776FU\nT0\n"); }));
  EXPECT_TRUE(test::read_file(path(1)).starts_with("V2\n"));
}

TEST_F(RecordsFolderTest, AFolderThatCannotBeWrittenIsAnErrorAtOnce) {
  std::ofstream(root / "file") << "x";
  RecordsOptions options;
  options.folder = root / "file";
  const auto refused = test::error_of(RecordsFolder::open(std::move(options), journal));
  EXPECT_THAT(refused, testing::HasSubstr((root / "file").string()));
}

TEST_F(RecordsFolderTest, DemonstrationGamesArePruned) {
  const auto folder = open();  // keeps two
  for (std::uint64_t id = 1; id <= 4; ++id) follow(*folder, game(id, "demo"));
  folder->close();
  EXPECT_FALSE(fs::exists(path(1, "demo")));
  EXPECT_FALSE(fs::exists(path(2, "demo")));
  EXPECT_EQ(test::read_file(path(3, "demo")), whole(3));
  EXPECT_EQ(test::read_file(path(4, "demo")), whole(4));
  EXPECT_FALSE(fs::exists(root / "00LIST"));
}

TEST_F(RecordsFolderTest, PruningKnowsTheGamesOfFormerRuns) {
  {
    const auto folder = open();
    for (std::uint64_t id = 1; id <= 2; ++id) follow(*folder, {opened(id, "demo"), resigned(id)});
    folder->close();
  }
  const auto folder = open();
  follow(*folder, {opened(3, "demo"), resigned(3)});
  folder->close();
  EXPECT_FALSE(fs::exists(path(1, "demo")));
  EXPECT_TRUE(fs::exists(path(2, "demo")));
  EXPECT_TRUE(fs::exists(path(3, "demo")));
}

TEST_F(RecordsFolderTest, ACursorOfAnotherJournalOrABrokenOneStartsOver) {
  for (const char* cursor : {"fuhyo-records-1 999 0 0 0\n", "fuhyo-records-1 1\n", "rubbish", ""}) {
    for (const auto& entry : fs::directory_iterator(root)) fs::remove_all(entry);
    std::ofstream(root / ".fuhyo-cursor") << cursor;
    if (*journal.read_after(Seq{}, 1) == std::vector<core::Journaled>{}) {
      journal.append(game(1));
    }
    open()->close();
    EXPECT_EQ(test::read_file(path(1)), whole(1)) << cursor;
  }
}

TEST_F(RecordsFolderTest, ListsMovedAwayByTheOperatorBeginAnew) {
  const auto folder = open();
  follow(*folder, {opened(1), resigned(1)});
  ASSERT_TRUE(eventually([&] { return !test::read_file(root / "00LIST.others").empty(); }));
  fs::rename(root / "00LIST", root / "00LIST.old");
  follow(*folder, {opened(2), resigned(2)});
  folder->close();
  EXPECT_EQ(listed(root / "00LIST"), 1);
  EXPECT_EQ(listed(root / "00LIST.others"), 2);
}

}  // namespace
}  // namespace fuhyo::store
