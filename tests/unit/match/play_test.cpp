// One game, between players that follow a script.
#include "engines/match/play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/match/match_fixtures.h"

namespace fuhyo::match {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Played {
  Scripted black, white;
  PlayedGame game;
};

Played play_out(std::vector<std::string> black, std::vector<std::string> white, const Rules& rules = {},
                PlayedGame game = {}) {
  Played out{.black = Scripted(std::move(black)), .white = Scripted(std::move(white)), .game = {}};
  std::int64_t now = 1000;
  game.number = 7;
  auto played = play(std::move(game), {&out.black, &out.white}, rules, [&] { return now++; }, {});
  if (played) out.game = std::move(*played);
  EXPECT_TRUE(played);
  return out;
}

PlayedGame from(std::string_view start, TimeControl time = {.nodes = 1}) {
  PlayedGame game;
  game.start = game_from(start);
  game.times = {time, time};
  return game;
}

TEST(Play, TellsEachSideTheGameSoFar) {
  const Played out = play_out({"7g7f"}, {"3c3d"}, {}, from("startpos moves 2g2f 8c8d"));
  EXPECT_THAT(out.black.asked,
              ElementsAre("position startpos moves 2g2f 8c8d", "position startpos moves 2g2f 8c8d 7g7f 3c3d"));
  EXPECT_THAT(out.white.asked, ElementsAre("position startpos moves 2g2f 8c8d 7g7f"));
  EXPECT_THAT(out.black.pondered, ElementsAre("position startpos moves 2g2f 8c8d"));
  EXPECT_EQ(out.game.result, GameResult::white_wins);
  EXPECT_EQ(out.game.ending, Ending::resignation);
  EXPECT_THAT(out.black.results, ElementsAre("lose"));
  EXPECT_THAT(out.white.results, ElementsAre("win"));
  EXPECT_EQ(out.game.moves.size(), 2U);
  EXPECT_EQ(out.game.began_ms, 1000);
  EXPECT_EQ(out.game.ended_ms, 1001);
  EXPECT_EQ(out.black.options().number, 7);
  EXPECT_EQ(out.black.options().move_limit, 320);
}

TEST(Play, LetsWhiteBeginWhereItIsToMove) {
  const Played out = play_out({}, {"3c3d"}, {}, from("startpos moves 7g7f"));
  EXPECT_THAT(out.white.asked, ElementsAre("position startpos moves 7g7f"));
  EXPECT_EQ(out.game.result, GameResult::white_wins);
}

TEST(Play, EndsByMateBeforeTheMoveLimit) {
  const Played out = play_out({"G*1b"}, {}, {.move_limit = 1}, from("sfen 8k/9/6G1P/9/9/9/9/9/K8 b G 1"));
  EXPECT_EQ(out.game.ending, Ending::mate);
  EXPECT_EQ(out.game.result, GameResult::black_wins);
}

TEST(Play, IsDrawnAtTheMoveLimitThatCountsTheOpening) {
  const Played out = play_out({"7g7f"}, {}, {.move_limit = 3}, from("startpos moves 2g2f 8c8d"));
  EXPECT_EQ(out.game.ending, Ending::move_limit);
  EXPECT_EQ(out.game.result, GameResult::draw);
  EXPECT_THAT(out.white.results, ElementsAre("draw"));
}

TEST(Play, CountsRepetitionsFromTheFirstPosition) {
  const Played out = play_out({"2h3h", "3h2h", "2h3h", "3h2h", "2h3h", "3h2h", "7g7f"},
                              {"8b7b", "7b8b", "8b7b", "7b8b", "8b7b", "7b8b"}, {}, from("startpos"));
  EXPECT_EQ(out.game.ending, Ending::repetition);
  EXPECT_EQ(out.game.result, GameResult::draw);
  EXPECT_EQ(out.game.moves.size(), 12U);
}

TEST(Play, MakesPerpetualCheckLose) {
  // The rook checks from 1i and 1h; the king steps between 1a and 2a.
  const Played out = play_out({"5h1h", "1h2h", "2h1h", "1h2h", "2h1h", "1h2h", "2h1h", "1h2h", "2h1h"},
                              {"1a2a", "2a1a", "1a2a", "2a1a", "1a2a", "2a1a", "1a2a", "2a1a"}, {},
                              from("sfen 8k/9/9/9/9/9/9/4R4/K8 b - 1"));
  EXPECT_EQ(out.game.ending, Ending::perpetual_check);
  EXPECT_EQ(out.game.result, GameResult::white_wins);
}

TEST(Play, JudgesIllegalMovesAndDeclarations) {
  const Played illegal = play_out({"5e5d"}, {});
  EXPECT_EQ(illegal.game.ending, Ending::illegal_move);
  EXPECT_EQ(illegal.game.result, GameResult::white_wins);
  EXPECT_THAT(illegal.game.detail, HasSubstr("5e5d"));
  EXPECT_EQ(illegal.game.moves.size(), 0U);
  const Played bluff = play_out({"win"}, {});
  EXPECT_EQ(bluff.game.ending, Ending::false_declaration);
  EXPECT_EQ(bluff.game.result, GameResult::white_wins);
  const auto entered = "sfen 1K6G/PPPPPPPPP/9/9/9/9/9/9/8k b 2R2B2G 1";
  EXPECT_EQ(play_out({"win"}, {}, {}, from(entered)).game.result, GameResult::black_wins);
  const Played forbidden = play_out({"win"}, {}, {.declaration = shogi::DeclarationRule::NONE}, from(entered));
  EXPECT_EQ(forbidden.game.ending, Ending::false_declaration);
}

TEST(Play, EndsATryByTheMove) {
  const Played out =
      play_out({"5b5a"}, {}, {.declaration = shogi::DeclarationRule::TRY}, from("sfen 9/4K4/9/9/9/9/9/9/8k b - 1"));
  EXPECT_EQ(out.game.ending, Ending::declaration);
  EXPECT_EQ(out.game.result, GameResult::black_wins);
}

TEST(Play, TakesTimeFromTheClockAndAFlagFallsBehindTheMargin) {
  const TimeControl time{.time_ms = 100, .inc_ms = 10};
  const Played out = play_out({"7g7f us=60000", "2g2f us=80000"}, {"3c3d us=115000", "8c8d us=31000"},
                              {.margin_ms = 20}, from("startpos", time));
  ASSERT_EQ(out.black.limits.size(), 2U);
  EXPECT_EQ(out.black.limits[1].time_ms[0], 50);
  EXPECT_EQ(out.black.limits[1].time_ms[1], 0) << "5 ms over, which the margin forgives";
  EXPECT_EQ(out.game.ending, Ending::time_up) << "80 of 60 ms is within the margin, but not 31 of 10";
  EXPECT_EQ(out.game.result, GameResult::black_wins);
}

TEST(Play, LetsAPlayerThatFailsLose) {
  const Played crash = play_out({"7g7f"}, {"crash"});
  EXPECT_EQ(crash.game.ending, Ending::crashed);
  EXPECT_EQ(crash.game.result, GameResult::black_wins);
  EXPECT_EQ(crash.game.detail, "exit status 3");
  EXPECT_EQ(play_out({"hang"}, {}).game.ending, Ending::hung);
}

TEST(Play, WithoutABeginningIsLostByWhoCannotBegin) {
  for (const int failing : {0, 1, 2}) {
    Scripted black, white;
    black.fails_to_start = failing != 1;
    white.fails_to_start = failing != 0;
    const auto game = play({}, {&black, &white}, {}, [] { return 0; }, {});
    ASSERT_TRUE(game);
    EXPECT_EQ(game->ending, Ending::crashed);
    constexpr std::array kResults = {GameResult::white_wins, GameResult::black_wins, GameResult::draw};
    EXPECT_EQ(game->result, kResults[static_cast<std::size_t>(failing)]);
    EXPECT_TRUE(black.asked.empty() && white.asked.empty());
  }
}

TEST(Play, IsAdjudicatedByScores) {
  const Played out = play_out({"7g7f cp=-3000", "2g2f cp=-3000"}, {"3c3d cp=100"},
                              {.adjudication = {.resign_cp = 2000, .resign_moves = 2}}, from("startpos"));
  EXPECT_EQ(out.game.ending, Ending::adjudicated_win);
  EXPECT_EQ(out.game.result, GameResult::white_wins);
}

TEST(Play, ThatIsBrokenOffIsNoGame) {
  Scripted black, white;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(play({}, {&black, &white}, {}, [] { return 0; }, stop.get_token()));
}

}  // namespace
}  // namespace fuhyo::match
