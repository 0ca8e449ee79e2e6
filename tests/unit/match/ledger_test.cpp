// Games as lines of JSON, and the file that a match is kept in.
#include "engines/match/ledger.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/output/json.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/match/match_fixtures.h"

namespace fuhyo::match {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PlayedGame some_game(std::int64_t number) {
  PlayedGame game;
  game.number = number;
  game.engines = {1, 0};
  game.names = {"a \"quoted\" 名", "b"};
  game.times = {TimeControl{.time_ms = 1000, .inc_ms = 10}, TimeControl{.nodes = 5}};
  game.opening = 3;
  game.opening_name = "Yagura";
  game.start = game_from("startpos moves 7g7f");
  const auto move = [](const char* text) { return *shogi::parse_usi_move(text); };
  game.moves = {{.move = move("3c3d"), .spent_us = 1234},
                {.move = move("8h2b+"),
                 .spent_us = 99,
                 .score = usi::Score{.kind = usi::Score::Kind::win, .value = 5},
                 .depth = 7,
                 .seldepth = 9,
                 .nodes = 1'000'000'000'000,
                 .pv = {move("8h2b+"), move("3a2b")}},
                {.move = move("3a2b"), .score = usi::Score{.value = -31, .bound = usi::Score::Bound::lower}},
                {.move = move("B*5e"), .score = usi::Score{.kind = usi::Score::Kind::lose}}};
  game.result = GameResult::white_wins;
  game.ending = Ending::illegal_move;
  game.detail = "5e5d: why\n";
  game.began_ms = 1'795'334'400'000;
  game.ended_ms = 1'795'334'400'001;
  return game;
}

TEST(GameAsJson, ComesBackAsItWas) {
  const PlayedGame game = some_game(12);
  const std::string line = to_json(game);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = game_from_json(line);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->number, 12);
  EXPECT_EQ(read->names, game.names);
  EXPECT_EQ(read->times, game.times);
  EXPECT_EQ(read->moves, game.moves);
  EXPECT_EQ(read->start.moves, game.start.moves);
  EXPECT_EQ(read->detail, game.detail);
  EXPECT_EQ(to_json(*read), line);
  EXPECT_EQ(to_json(*game_from_json(to_json(PlayedGame{}))), to_json(PlayedGame{}));
}

TEST(GameAsJson, OfEveryEnding) {
  for (int i = 0; i <= static_cast<int>(Ending::crashed); ++i) {
    PlayedGame game;
    game.ending = static_cast<Ending>(i);
    EXPECT_EQ(parse_ending(to_string(game.ending)), game.ending);
    EXPECT_EQ(game_from_json(to_json(game))->ending, game.ending);
  }
  EXPECT_EQ(parse_ending("boredom"), std::nullopt);
}

TEST(GameAsJson, ThatIsBrokenSaysWhere) {
  const std::string line = to_json(some_game(1));
  const auto broken = [&](std::string_view former, std::string_view later) {
    std::string text = line;
    const std::size_t at = text.find(former);
    EXPECT_NE(at, std::string::npos) << former;
    text.replace(at, former.size(), later);
    const auto read = game_from_json(text);
    return read ? std::string("read") : read.error();
  };
  EXPECT_THAT(broken("\"3c3d\"", "\"3c3e\""), HasSubstr("\"moves\"")) << "an illegal move";
  EXPECT_THAT(broken("\"outcome\"", "\"outcom\""), HasSubstr("\"outcome\""));
  EXPECT_THAT(broken("\"illegal_move\"", "\"boredom\""), HasSubstr("\"ending\""));
  EXPECT_THAT(broken("[1234,", "["), HasSubstr("\"us\""));
  EXPECT_THAT(broken("nodes=5", "nodes=0"), HasSubstr("\"times\""));
  EXPECT_THAT(broken("\"mate +5\"", "\"mate\""), HasSubstr("\"scores\""));
  EXPECT_THAT(broken("startpos", "sfen x"), HasSubstr("\"start\""));
  EXPECT_THAT(game_from_json(line.substr(0, line.size() / 2)).error(), HasSubstr("no JSON"));
  EXPECT_THAT(game_from_json("[]").error(), HasSubstr("object"));
}

class LedgerTest : public testing::Test {
 protected:
  std::expected<Ledger, std::string> open(const std::string& terms) {
    numbers_.clear();
    return Ledger::open(path_.string(), terms, [this](PlayedGame game) { numbers_.push_back(game.number); });
  }
  void add_bytes(std::string_view bytes) { std::ofstream(path_, std::ios::app | std::ios::binary) << bytes; }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "ledger";
  std::vector<std::int64_t> numbers_;
};

TEST_F(LedgerTest, KeepsGamesFromOneRunToTheNext) {
  for (const std::int64_t number : {4, 2, 9}) {
    auto ledger = open("terms");
    ASSERT_TRUE(ledger) << ledger.error();
    ASSERT_TRUE(ledger->append(some_game(number)));
  }
  ASSERT_TRUE(open("terms"));
  EXPECT_THAT(numbers_, ElementsAre(4, 2, 9));
  const auto read_only = open("");
  ASSERT_TRUE(read_only);
  EXPECT_EQ(read_only->terms(), "terms");
  EXPECT_EQ(numbers_.size(), 3U);
}

TEST_F(LedgerTest, CutsWhatAKilledProgramDidNotFinish) {
  ASSERT_TRUE(open("terms")->append(some_game(1)));
  for (const std::size_t cut : {1UZ, 40UZ, to_json(some_game(2)).size()}) {
    add_bytes(to_json(some_game(2)).substr(0, cut));
    auto ledger = open("terms");
    ASSERT_TRUE(ledger) << ledger.error();
    EXPECT_THAT(numbers_, ElementsAre(1));
  }
  ASSERT_TRUE(open("terms")->append(some_game(3)));
  ASSERT_TRUE(open("terms"));
  EXPECT_THAT(numbers_, ElementsAre(1, 3));
}

TEST_F(LedgerTest, BeginsAnewWhereNotEvenTheFirstLineWasFinished) {
  add_bytes("ter");
  ASSERT_TRUE(open("terms")->append(some_game(1)));
  ASSERT_TRUE(open("terms"));
  EXPECT_THAT(numbers_, ElementsAre(1));
}

TEST_F(LedgerTest, RefusesAnotherMatchAndADamagedLine) {
  ASSERT_TRUE(open("terms")->append(some_game(1)));
  EXPECT_THAT(open("others").error(), HasSubstr("holds another match"));
  add_bytes("nonsense\n");
  add_bytes(to_json(some_game(2)) + "\n");
  EXPECT_THAT(open("terms").error(), HasSubstr(":3: no JSON"));
}

TEST_F(LedgerTest, SaysWhyAFileCannotBeUsed) {
  EXPECT_THAT(open("").error(), HasSubstr("no such file"));
  EXPECT_THAT(Ledger::open("/nowhere/at/all", "terms", {}).error(), HasSubstr("/nowhere/at/all"));
}

TEST_F(LedgerTest, BelongsToOneAtATime) {
  {
    auto ledger = open("terms");
    ASSERT_TRUE(ledger->append(some_game(1)));
    EXPECT_EQ(open("terms").error(), path_.string() + ": another process works with it");
    EXPECT_TRUE(open("")) << "anybody may read it";
    Ledger moved = std::move(*ledger);
    EXPECT_FALSE(open("terms"));
    ASSERT_TRUE(moved.append(some_game(2)));
  }
  EXPECT_TRUE(open("terms"));
  EXPECT_THAT(numbers_, ElementsAre(1, 2));
}

TEST_F(LedgerTest, IsAFile) {
  for (const char* const path : {"/dev/full", "/dev/null", "/"}) {
    EXPECT_EQ(Ledger::open(path, "terms", {}).error(), path + std::string(": this is no regular file"));
    EXPECT_FALSE(Ledger::open(path, "", {}));
  }
}

TEST_F(LedgerTest, NoticesThatNothingCanBeWrittenAndLosesNothing) {
  auto ledger = open("terms");
  ASSERT_TRUE(ledger->append(some_game(1)));
  const auto size = std::filesystem::file_size(path_);
  const auto kept = [&] {
    const test::FullDisk full(size + 100);
    return ledger->append(some_game(2));
  }();
  ASSERT_FALSE(kept);
  EXPECT_THAT(kept.error(), HasSubstr("File too large"));
  // A game that ended at the same time, when there is room again.
  EXPECT_EQ(ledger->append(some_game(4)).error(), kept.error());
  EXPECT_EQ(std::filesystem::file_size(path_), size) << "half a line is left";
  *ledger = Ledger();
  EXPECT_EQ(std::filesystem::file_size(path_), size);
  ASSERT_TRUE(open("terms")->append(some_game(3)));
  ASSERT_TRUE(open("terms"));
  EXPECT_THAT(numbers_, ElementsAre(1, 3));
}

}  // namespace
}  // namespace fuhyo::match
