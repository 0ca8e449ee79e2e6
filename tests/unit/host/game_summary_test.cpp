// What a player reads of a Game_Summary, and the clocks that it keeps by it.
#include "server/host/game_summary.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"
#include "tests/unit/host/summary_text.h"

namespace fuhyo::host {
namespace {

using shogi::BLACK;
using shogi::WHITE;
using ::testing::HasSubstr;

TEST(GameSummary, ReadsWhatShogiServerSends) {
  const auto game = parse_game_summary(summary('-', time_block(300, 10, 0)));
  ASSERT_TRUE(game) << game.error();
  EXPECT_EQ(game->game_id, "ev+test-10-1+A+B+20261121041440");
  EXPECT_EQ(game->names, (std::array<std::string, 2>{"A", "B"}));
  EXPECT_EQ(game->us, WHITE);
  EXPECT_EQ(game->max_moves, 256);
  EXPECT_EQ(game->clocks[BLACK], (ClockRule{.total_ms = 300'000, .byoyomi_ms = 10'000}));
  EXPECT_EQ(game->clocks[WHITE], game->clocks[BLACK]);
  EXPECT_EQ(game->start.sfen(), shogi::Position::kStartSfen);
}

TEST(GameSummary, TakesEveryTimeUnit) {
  const auto total = [](const Lines& time) {
    const auto game = parse_game_summary(summary('+', time));
    return game ? game->clocks[BLACK].total_ms : -1;
  };
  const std::pair<const char*, std::int64_t> units[] = {
      {"1sec", 2'000}, {"1min", 120'000}, {"1msec", 2}, {"30sec", 60'000}, {"100msec", 200}, {"1h", -1}, {"0sec", -1}};
  for (const auto& [unit, ms] : units) EXPECT_EQ(total(time_block(2, 0, 0, unit)), ms) << unit;
  EXPECT_EQ(total({"BEGIN Time", "Total_Time:3", "Time_Unit:1min", "END Time"}), 180'000) << "it may come later";
  EXPECT_TRUE(parse_game_summary(summary('+', {}))->clocks[BLACK].unlimited()) << "there is no block";
}

TEST(GameSummary, EachSideMayHaveItsOwnTime) {
  const Lines both = time_block(600, 0, 5, "1sec", "Time+") + time_block(1, 30, 0, "1min", "Time-");
  const auto game = parse_game_summary(summary('+', both));
  ASSERT_TRUE(game) << game.error();
  EXPECT_EQ(game->clocks[BLACK], (ClockRule{.total_ms = 600'000, .increment_ms = 5'000}));
  EXPECT_EQ(game->clocks[WHITE], (ClockRule{.total_ms = 60'000, .byoyomi_ms = 1'800'000}));
}

TEST(GameSummary, SaysWhatADeclarationIsJudgedBy) {
  const auto said = [](const std::string& line) {
    Lines lines = summary('+', time_block(300, 10, 0));
    std::ranges::replace(lines, "Declaration:Jishogi 1.1", line);
    return parse_game_summary(lines)->declaration;
  };
  EXPECT_EQ(said("Declaration:Jishogi 1.1"), shogi::DeclarationRule::POINTS_27);
  EXPECT_EQ(said("Entering_King_Rule:CSARule24"), shogi::DeclarationRule::POINTS_24);
  EXPECT_EQ(said("Entering_King_Rule:NoEnteringKing"), shogi::DeclarationRule::NONE);
  EXPECT_EQ(said("Entering_King_Rule:Other"), std::nullopt);
  EXPECT_EQ(said("Other:line"), std::nullopt);
}

TEST(GameSummary, ReadsMovesThatWereMadeBefore) {
  const auto game = parse_game_summary(
      summary('+', time_block(300, 0, 10), start_position() + Lines{"+7776FU,T12", "-3334FU,T3", "+2726FU"}));
  ASSERT_TRUE(game) << game.error();
  ASSERT_EQ(game->moves.size(), 3u);
  EXPECT_EQ(game->moves[0].spent_ms, 12'000);
  EXPECT_EQ(game->moves[1].spent_ms, 3'000);
  EXPECT_EQ(game->moves[2].spent_ms, 0);
}

TEST(GameSummary, ReadsHandsStrippedBlanksAndPastWhatItDoesNotKnow) {
  // Some servers and tools drop the blank at the end of a line.
  Lines position = {"P1-OU *  *  *  *  *  *  *  *"};
  for (const char rank : {'2', '3', '4', '5', '6', '7', '8'})
    position.push_back(std::string("P") + rank + " *  *  *  *  *  *  *  *  *");
  position = position + Lines{"P9 *  *  *  * +OU *  *  *  *", "P+00KI00FU00FU", "P-00HI", "-"};
  Lines lines = summary('-', time_block(0, 10, 0), position);
  lines.insert(lines.begin() + 3, {"Reconnect_Token:0123", "Something else", "BEGIN News", "Your_Turn:x", "END News"});
  const auto game = parse_game_summary(lines);
  ASSERT_TRUE(game) << game.error();
  EXPECT_EQ(game->start.sfen(), "k8/9/9/9/9/9/9/9/4K4 w G2Pr 1");
}

TEST(GameSummary, SaysWhatIsWrong) {
  const auto error_of = [](const Lines& lines) { return test::error_of(parse_game_summary(lines)); };
  Lines no_turn = summary('+', {});
  std::erase_if(no_turn, [](const std::string& line) { return line.starts_with("Your_Turn"); });
  EXPECT_THAT(error_of(no_turn), HasSubstr("Your_Turn is missing"));
  EXPECT_THAT(error_of(summary('x', {})), HasSubstr("bad Your_Turn 'x'"));
  EXPECT_THAT(error_of(summary('+', time_block(-1, 0, 0))), HasSubstr("bad Total_Time '-1'"));
  EXPECT_THAT(error_of(summary('+', {}, {"+"})), HasSubstr("the board is missing"));
  EXPECT_THAT(error_of(summary('+', {}, start_position() + Lines{"+7775FU,T1"})), HasSubstr("impossible move"));
  EXPECT_THAT(error_of(summary('+', {}, start_position() + Lines{"+7776FU,Tx"})), HasSubstr("bad time"));
  EXPECT_THAT(error_of(summary('+', {}, start_position() + Lines{"nonsense"})), HasSubstr("bad line"));
  EXPECT_FALSE(error_of({}).empty());
}

TEST(SpentTime, IsSecondsOfCsa) {  // see Seconds of tests/unit/record
  EXPECT_EQ(parse_spent_ms("4.125"), 4'125);
  EXPECT_EQ(parse_spent_ms("1."), 1'000);
  for (const char* text : {"", "-1", "x", "1,5"}) EXPECT_FALSE(parse_spent_ms(text)) << text;
}

TEST(Clocks, AddAnIncrementBeforeTheMoveSaveNoByoyomiAndReserveMainTimeFirst) {
  const ClockRule fischer{.total_ms = 10'000, .increment_ms = 1'000}, byoyomi{.total_ms = 2'000, .byoyomi_ms = 10'000};
  Clocks clocks({fischer, byoyomi});
  EXPECT_EQ(clocks.budget_ms(BLACK), 11'000);
  clocks.spend(BLACK, 3'000);
  EXPECT_EQ(clocks.remaining_ms(BLACK), 8'000);
  clocks.spend(BLACK, 0);
  EXPECT_EQ(clocks.remaining_ms(BLACK), 9'000);
  clocks.spend(BLACK, 12'000);  // the server let it pass: then it is right
  EXPECT_EQ(clocks.remaining_ms(BLACK), 0);
  EXPECT_EQ(clocks.remaining_ms(WHITE), 2'000);
  clocks.spend(WHITE, 9'000);
  EXPECT_EQ(clocks.remaining_ms(WHITE), 0);
  EXPECT_EQ(clocks.budget_ms(WHITE), 10'000);

  const ClockRule rule{.total_ms = 1'000, .byoyomi_ms = 500};
  const Clocks reserving({rule, rule});
  EXPECT_EQ(reserving.limits(BLACK, 300).time_ms, (std::array<std::int64_t, 2>{700, 1'000}));
  const auto deep = reserving.limits(BLACK, 1'200);
  EXPECT_EQ(deep.time_ms[BLACK], 0);
  EXPECT_EQ(deep.byoyomi_ms, 300);
  EXPECT_EQ(reserving.limits(BLACK, 99'999).byoyomi_ms, 0);
}

}  // namespace
}  // namespace fuhyo::host
