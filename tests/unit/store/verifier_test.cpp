// What `fuhyo store verify` notices: a store of games as they are played has no fault, and each planted one is named.
#include "server/store/transfer/verifier.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/core/games/game.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/store.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

core::GameOpened table(std::uint64_t id) {
  core::GameOpened game = opened(id);
  game.black.id = "ann+1";
  game.white.id = "bob+1";
  game.black_rate = 2781;
  game.preset_moves.clear();
  return game;
}

// The lines of a game, judged as a server does.
std::vector<core::Fact> play(core::GameOpened opened, const std::vector<std::string>& lines) {
  std::vector<core::Fact> facts = {opened, core::GameStarted{.game = opened.game, .at = {opened.at.us + 1}}};
  core::Game game(opened, 4096);
  std::int64_t at_us = opened.at.us;
  const auto take = [&](core::Ruling ruling) {
    at_us += 3 * core::kSecond;
    if (ruling.move) {
      ruling.move->at.us = at_us;
      facts.emplace_back(*ruling.move);
    }
    if (!ruling.end) return;
    ruling.end->at.us = at_us;
    ruling.end->local_time = "2026/07/01 00:01:00";
    facts.emplace_back(*ruling.end);
  };
  for (const std::string& line : lines) {
    if (std::holds_alternative<core::GameEnded>(facts.back())) break;
    if (line.starts_with('%'))
      take(game.judge(csa::Special{.line = line}, 3 * core::kSecond));
    else
      take(game.judge(csa::MoveLine{.move = line, .comment = "", .line = line}, 3 * core::kSecond));
  }
  return facts;
}

const std::vector<std::string> kOpening = {"+7776FU", "-3334FU", "+8822UM", "-3122GI"};

std::vector<std::string> repetition() {
  std::vector<std::string> lines;
  for (int i = 0; i < 4; ++i) lines.insert(lines.end(), {"+2858HI", "-8252HI", "+5828HI", "-5282HI"});
  return lines;
}

std::vector<std::string> with(std::vector<std::string> lines, const char* last) {
  lines.emplace_back(last);
  return lines;
}

class Verify : public ::testing::Test {
 protected:
  Verify() {
    core::Recovery recovery;
    const auto journal = value_of(store_->open_journal({}, recovery));
    Script script;
    core::GameOpened from_buoy = table(6);
    from_buoy.preset_moves = {"+7776FU,T1", "-3334FU,T2"};
    for (std::vector<core::Fact> facts :
         {play(table(1), with(kOpening, "%TORYO")), play(table(2), repetition()),
          play(table(3), with(kOpening, "+0022FU")), play(table(4), with(kOpening, "%KACHI")), play(table(5), kOpening),
          play(from_buoy, {"+8822UM", "%TORYO"}), std::vector<core::Fact>{table(7), rejected(7)}}) {
      journal->append(script.transaction(std::move(facts)));
    }
    const core::BuoySet buoy{.name = "buoy_a-900-0", .owner = "ann", .count = 2, .start_sfen = ""};
    const core::BuoySet gone{.name = "buoy_b-900-0", .owner = "ann", .count = 2, .start_sfen = ""};
    journal->append(script.transaction({buoy, gone, core::BuoyDeleted{.name = gone.name}}));
    journal->append(script.transaction({core::AdminActed{
        .who = "host", .via = "socket", .act = "stop", .why = "", .outcome = "done", .at = {5}, .local_time = "x"}}));
    journal->append(script.transaction(
        {core::RoundHeld{.group = "floodgate-900-0", .number = 1, .games = {"a b"}, .sat_out = {}, .at = {6}}}));
    EXPECT_TRUE(journal->close());
  }

  void change(const std::string& sql) {
    auto db = store::Database::open(file_, store::Database::Access::write, nullptr, 1000);
    const auto done = db->run(sql.c_str());
    EXPECT_TRUE(done) << done.error().message;
  }

  std::vector<std::string> faults() {
    std::vector<std::string> all;
    store::Verifier verifier([&](std::string text) { all.push_back(std::move(text)); });
    const auto done = store::verify(*value_of(store_->open_dump()), verifier);
    EXPECT_TRUE(done) << done.error();
    EXPECT_EQ(verifier.found().faults, all.size());
    moves_ = verifier.found().moves;
    return all;
  }

  std::uint64_t moves_ = 0;
  TemporaryFolder folder_;
  const std::string file_ = folder_.file("fuhyo.db");
  const std::unique_ptr<store::Store> store_ = *store::make_store("sqlite:" + file_);
};

TEST_F(Verify, AStoreAsServersWriteItHasNoFaults) {
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_EQ(moves_, 4 + 13 + 4 + 4 + 3);
  EXPECT_THAT(value_of(value_of(store_->open_dump())->faults()), IsEmpty());
}

TEST_F(Verify, AJournalThatRetentionHasCutHasNoFaults) {
  for (const int upto : {3, 8, 30}) {
    change(fmt::format("DELETE FROM journal WHERE seq < {} AND seq < (SELECT min(first_seq) FROM live)", upto));
    EXPECT_THAT(faults(), IsEmpty()) << upto;
  }
}

TEST_F(Verify, RowsOfAnOlderProgramDoNotKnowTheRatesAtPairing) {
  change("UPDATE game SET black_rate = 0");
  EXPECT_THAT(faults(), IsEmpty());
}

TEST_F(Verify, AJournalWithAGapOrARowThatCannotBeRead) {
  change("UPDATE journal SET payload = x'78' WHERE seq = 1");
  EXPECT_THAT(faults(), testing::Contains(HasSubstr("journal row 1: ")));
  change("DELETE FROM journal WHERE seq = 2");
  EXPECT_THAT(faults(), testing::Contains("journal row 3: follows row 1"));
  change("UPDATE journal SET kind = 70000 WHERE seq = 4");
  EXPECT_THAT(faults(), testing::Contains("journal row 4: is of no known kind"));
}

TEST_F(Verify, ARowOfAnotherGame) {
  change("UPDATE journal SET game = 5 WHERE seq = 3");
  EXPECT_THAT(faults(), ElementsAre("journal row 3: is of game 5, and its fact of game 1"));
}

TEST_F(Verify, TablesThatDoNotAgreeWithTheJournal) {
  static constexpr char kRow[] = "game 3: its row is not what the journal tells of it";
  const std::pair<const char*, const char*> kPlanted[] = {
      {"DELETE FROM live", "live: lacks game 5, opened in row"},
      {"UPDATE live SET first_seq = first_seq - 1", "live: game 5 was opened in row"},
      {"INSERT INTO live VALUES (1, 1)", "live: game 1 is not live in the journal"},
      {"DELETE FROM game WHERE game = 2", "game 2: has ended, and has no row"},
      {"UPDATE game SET outcome = 'draw' WHERE game = 3", kRow},
      {"UPDATE game SET black_name = 'x' WHERE game = 3", kRow},
      {"UPDATE game SET black_rate = 2782 WHERE game = 3", kRow},
      {"UPDATE game SET white_rate = 1 WHERE game = 3", kRow},
      {"UPDATE game SET terms = 'white-time=1-0' WHERE game = 3", kRow},
      {"UPDATE standing SET payload = x'78'", "standing: buoy/buoy_a-900-0: "},
      {"DELETE FROM standing WHERE key LIKE 'buoy/%'", "standing: lacks buoy/buoy_a-900-0"},
      {"INSERT INTO standing SELECT 'buoy/buoy_b-900-0', seq, kind, version, payload FROM journal WHERE kind = 7"
       " ORDER BY seq DESC LIMIT 1",
       "standing: buoy/buoy_b-900-0: fell, by the journal"},
      {"UPDATE used SET last_game = 6", "used: last_game is 6, and there is game 7"},
      {"UPDATE used SET last_stamp = 1", "used: last_stamp is 1, and there is 20260701000007"},
      {"INSERT INTO mark SELECT max(seq) + 1, 9000000000000000 FROM journal", " is after the journal's end"},
      {"INSERT INTO mark VALUES (2, 1)", "mark: 2 is not later than the one before it"},
      {"UPDATE audit SET who = 'x'", "is not what the journal tells"},
      {"DELETE FROM audit", "audit: lacks row"},
      {"INSERT INTO round SELECT 2, game_name, number, games, sat_out, at_us FROM round",
       "round: the journal does not tell of row 2"},
      {"DELETE FROM round", "round: lacks row"},
      {"UPDATE player SET wins = wins + 1 WHERE id = 'ann+1'", "player: ann+1: 5 games"},
      {"DELETE FROM player WHERE id = 'bob+1'", "player: lacks bob+1"},
      {"INSERT INTO player VALUES ('cid+1', 'cid', 1, 1, 1, 1, 0, 0)", "player: cid+1 has finished no game"},
      {"INSERT INTO rating VALUES ('ann+1', 'today', 1, 1)", "rating: today of ann+1 is no rate of a day"},
      {"INSERT INTO rating VALUES ('ann+1', '2026-01-01', 1e999, 1)", "is no rate of a day"},
  };
  for (const auto& [sql, expected] : kPlanted) {
    ASSERT_TRUE(value_of(store_->copy_to(folder_.file("before.db"))));
    change(sql);
    EXPECT_THAT(faults(), testing::Contains(HasSubstr(expected))) << sql;
    for (const char* part : {"-wal", "-shm"}) std::filesystem::remove(file_ + part);
    std::filesystem::rename(folder_.file("before.db"), file_);
  }
  EXPECT_THAT(faults(), IsEmpty());
}

TEST_F(Verify, RowsOfGamesThatAreNotWhatTheirMovesMake) {
  const std::pair<const char*, const char*> kPlanted[] = {
      {"moves = replace(moves, '+8822UM', '+8844UM')", "move 3 (+8844UM): "},
      {"moves = replace(moves, ',T3', ',Tx')", "move 1: '+7776FU,Tx' is no move with a time"},
      {"moves = replace(moves, ',T3', ',T600')", "black has spent 1200 s, and never had more than 910 s"},
      {"terms = 'white-time=5-0'", "white has spent 6 s, and never had more than 5 s"},
      {"final_board = final_board || '+'", "its final board is not that of its moves"},
      {"start_sfen = 'nowhere'", "its start position 'nowhere' is none"},
      {"preset_plies = 9", "has fewer moves than it began with"},
  };
  change(
      "UPDATE journal SET seq = seq + 1000; DELETE FROM journal WHERE seq < (SELECT max(seq) FROM journal);"
      "DELETE FROM live; UPDATE audit SET seq = 1; UPDATE round SET seq = seq + 1000; UPDATE standing SET seq = 1"
      " WHERE key LIKE 'buoy%'; UPDATE standing SET seq = seq + 1000 WHERE key LIKE 'round%'");
  ASSERT_THAT(faults(), IsEmpty());
  for (const auto& [set, expected] : kPlanted) {
    change("CREATE TABLE kept AS SELECT * FROM game WHERE game = 1");
    change(fmt::format("UPDATE game SET {} WHERE game = 1", set));
    EXPECT_THAT(faults(), ElementsAre(HasSubstr(expected))) << set;
    change("DELETE FROM game WHERE game = 1; INSERT INTO game SELECT * FROM kept; DROP TABLE kept");
  }
}

// Of facts that no server would have written.
std::vector<std::string> faults_of(const std::vector<core::Fact>& facts) {
  std::vector<std::string> all;
  store::JournalCheck check([&](std::string text) { all.push_back(std::move(text)); });
  std::int64_t seq = 0;
  for (const core::Fact& fact : facts) {
    const core::EncodedFact encoded = core::encode(fact);
    const auto game = static_cast<std::int64_t>(core::value(core::game_of(fact)));
    check.take({{.number = ++seq},
                {.number = encoded.kind},
                {.number = encoded.version},
                {.number = game},
                {.bytes = encoded.payload}});
  }
  return all;
}

template <class F, class Change>
std::vector<core::Fact> changed(std::vector<core::Fact> facts, int nth, Change change) {
  for (core::Fact& fact : facts) {
    if (auto* one = std::get_if<F>(&fact); one != nullptr && nth-- == 0) change(*one);
  }
  return facts;
}

TEST(VerifyJournal, GamesAreJudgedAgain) {
  using core::GameEnded, core::GameOpened, core::MoveMade;
  const std::vector<core::Fact> fine = play(table(1), with(kOpening, "%TORYO")), rep = play(table(1), repetition());
  EXPECT_THAT(faults_of(fine), IsEmpty());
  const auto first = [](const std::vector<core::Fact>& facts) {
    const std::vector<std::string> all = faults_of(facts);
    return all.empty() ? "none" : all.front();
  };
  const auto moved = [&](int nth, auto change) { return first(changed<MoveMade>(fine, nth, change)); };
  EXPECT_THAT(moved(2, [](auto& m) { m.csa = "+8844UM"; }), HasSubstr("game 1, journal row 5: move 3 (+8844UM): "));
  EXPECT_THAT(moved(2, [](auto& m) { m.ply = 4; }), HasSubstr("should be move 3"));
  EXPECT_THAT(moved(0, [](auto& m) { m.spent_s = 4; }),
              HasSubstr("leaves 901 s on the clock of black, and says 902 s"));
  EXPECT_THAT(moved(0, [](auto& m) { m.spent_s = 2000; }), HasSubstr("late by"));
  EXPECT_THAT(moved(1, [](auto& m) { --m.remaining_s; }),
              HasSubstr("leaves 902 s on the clock of white, and says 901 s"));
  const auto ended = [&](auto change, const auto& facts) { return first(changed<GameEnded>(facts, 0, change)); };
  EXPECT_THAT(ended([](auto& end) { end.plies = 5; }, fine), HasSubstr("has 4 plies, and says 5"));
  EXPECT_THAT(ended([](auto& end) { end.final_board += "x"; }, fine), HasSubstr("its final board is not"));
  EXPECT_THAT(ended([](auto& end) { end.kind = core::EndKind::sennichite; }, fine),
              HasSubstr("repetition that there is none of"));
  EXPECT_THAT(ended([](auto& end) { end.kind = core::EndKind::kachi; }, fine),
              HasSubstr("ends by kachi with '%TORYO', which is none"));
  EXPECT_THAT(ended([](auto& end) { end.kind = core::EndKind::toryo; }, rep),
              HasSubstr("ends by toryo, and its last move is sennichite"));
  const auto opened = [&](auto change) { return first(changed<GameOpened>(fine, 0, change)); };
  EXPECT_THAT(opened([](auto& game) { game.start_sfen = "x"; }), HasSubstr("its start position 'x' is none"));
  EXPECT_THAT(opened([](auto& game) { game.preset_moves = {"+1111FU,T1"}; }),
              HasSubstr("one of the moves that it began with is not legal"));
}

TEST(VerifyJournal, FactsComeInTheirOrder) {
  const std::vector<core::Fact> fine = play(table(1), with(kOpening, "%TORYO"));
  std::vector<core::Fact> twice = fine, after = fine, unopened = fine, unbegun = fine;
  twice.push_back(table(1));
  after.push_back(move(1, 5));
  unopened.erase(unopened.begin());
  unbegun.erase(unbegun.begin() + 1);
  EXPECT_THAT(faults_of(twice), testing::Contains(HasSubstr("is opened a second time")));
  EXPECT_THAT(faults_of(after), testing::Contains(HasSubstr("goes on after its end")));
  EXPECT_THAT(faults_of(unopened), testing::Contains(HasSubstr("was never opened")));
  EXPECT_THAT(faults_of(unbegun), testing::Contains(HasSubstr("the game has not begun")));
}

}  // namespace
}  // namespace fuhyo::test
