#include "engines/usi/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/shogi/usi_move.h"
#include "engines/usi/game.h"
#include "engines/usi/options.h"

namespace fuhyo::usi {
namespace {

using shogi::WHITE;
using ::testing::HasSubstr;

shogi::Move usi_move(std::string_view text) { return *shogi::parse_usi_move(text); }

TEST(ParseGo, ReadsEveryLimit) {
  const std::pair<const char*, GoLimits> limits[] = {
      {"btime 60000 wtime 50000 byoyomi 10000", {.time_ms = {60'000, 50'000}, .byoyomi_ms = 10'000, .timed = true}},
      {"ponder btime 1 wtime 2 binc 3 winc 4", {.time_ms = {1, 2}, .inc_ms = {3, 4}, .timed = true, .ponder = true}},
      {"btime -35 wtime 10", {.time_ms = {0, 10}, .timed = true}},
      {"depth 5 nodes 1000 movetime 250", {.movetime_ms = 250, .nodes = 1000, .depth = 5}},
      {"infinite", {.infinite = true}},
      {"mate", {.mate_ms = kForever}},
      {"mate infinite", {.mate_ms = kForever}},
      {"mate 5000", {.mate_ms = 5000}},
      {"searchmoves 7g7f P*5e depth 3", {.depth = 3, .searchmoves = {usi_move("7g7f"), usi_move("P*5e")}}},
  };
  for (const auto& [text, expected] : limits) EXPECT_EQ(parse_go(text), expected) << text;
}

TEST(ParseGo, RefusesWhatIsNoNumber) {
  for (const char* text : {"btime", "btime x", "depth 3x", "nodes 99999999999999999999", "movetime +-3"}) {
    EXPECT_FALSE(parse_go(text)) << text;
  }
}

TEST(ParseGo, SurvivesBeingSaid) {
  for (const char* text : {"go btime 1 wtime 2 byoyomi 3", "go ponder btime 1 wtime 2 binc 3 winc 4", "go infinite",
                           "go mate infinite", "go mate 7", "go movetime 9", "go depth 3 searchmoves 7g7f"}) {
    const auto limits = parse_go(std::string_view(text).substr(3));
    ASSERT_TRUE(limits) << text;
    EXPECT_EQ(parse_go(std::string_view(to_text(*limits)).substr(2)), limits) << text;
  }
}

// An increment and "byoyomi 0" side by side make some engines believe in byoyomi.
TEST(GoText, NamesByoyomiOnlyWhereItBelongs) {
  GoLimits fischer{.time_ms = {1, 2}, .inc_ms = {3, 3}, .timed = true};
  EXPECT_EQ(to_text(fischer), "go btime 1 wtime 2 binc 3 winc 3");
  GoLimits sudden_death{.time_ms = {1, 2}, .timed = true};
  EXPECT_EQ(to_text(sudden_death), "go btime 1 wtime 2 byoyomi 0");
}

TEST(ParseInfo, ReadsWhatEnginesPrint) {
  const Info info = parse_info(
      "depth 12 seldepth 20 multipv 2 score cp -35 lowerbound nodes 1000 nps 5000 time 200 hashfull 7 pv 7g7f "
      "3c3d rep_draw 2g2f");
  EXPECT_EQ(info.depth, 12);
  EXPECT_EQ(info.multipv, 2);
  ASSERT_TRUE(info.score);
  EXPECT_EQ(info.score->value, -35);
  EXPECT_EQ(info.score->bound, Score::Bound::lower);
  EXPECT_EQ(info.pv, (std::vector{usi_move("7g7f"), usi_move("3c3d")}));
  EXPECT_EQ(info.time_ms, 200);
  using enum Score::Kind;
  for (const auto& [mate, kind, plies] :
       {std::tuple{"+5", win, 5}, {"5", win, 5}, {"-4", lose, 4}, {"+", win, 0}, {"-", lose, 0}})
    EXPECT_EQ(parse_info("score mate " + std::string(mate)).score, (Score{.kind = kind, .value = plies})) << mate;
}

TEST(ParseInfo, LeavesOutWhatCannotBeRead) {
  for (const char* text :
       {"", "score", "score cp", "score cp nan pv", "depth x", "score mate x", "pv", "currmove 7g7f"}) {
    const Info info = parse_info(text);
    EXPECT_FALSE(info.score) << text;
    EXPECT_FALSE(info.depth) << text;
    EXPECT_TRUE(info.pv.empty()) << text;
  }
  EXPECT_EQ(parse_info("score cp 99999999999").score->value, INT32_MAX);
  EXPECT_EQ(parse_info("string depth 5 score cp 3").text, "depth 5 score cp 3");
}

TEST(ParseBestMove, ReadsEveryAnswer) {
  EXPECT_EQ(parse_bestmove("resign")->kind, BestMove::Kind::resign);
  EXPECT_EQ(parse_bestmove("win")->kind, BestMove::Kind::win);
  const auto best = parse_bestmove("8h2b+ ponder 3a2b");
  ASSERT_TRUE(best);
  EXPECT_EQ(best->move, usi_move("8h2b+"));
  EXPECT_EQ(best->ponder, usi_move("3a2b"));
  EXPECT_FALSE(parse_bestmove("7g7f ponder (none)")->ponder);
  for (const char* text : {"", "(none)", "7g", "0000", "+7776FU"}) EXPECT_FALSE(parse_bestmove(text)) << text;
}

TEST(ParsePosition, PlaysTheMoves) {
  const auto game = parse_position("startpos moves 7g7f 3c3d 8h2b+");
  ASSERT_TRUE(game);
  EXPECT_EQ(game->moves.size(), 3u);
  EXPECT_EQ(game->current().side_to_move(), WHITE);
  EXPECT_EQ(position_text(game->start, game->moves), "position startpos moves 7g7f 3c3d 8h2b+");
  for (const char* text : {"sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1", "sfen 4k4/9/9/9/9/9/9/9/4K4 b G",
                           "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5h"}) {
    EXPECT_TRUE(parse_position(text)) << text;
  }
}

TEST(ParsePosition, SaysWhatIsWrong) {
  EXPECT_THAT(parse_position("startpos moves 7g7f 7g7f").error(), HasSubstr("move 2 '7g7f'"));
  EXPECT_THAT(parse_position("startpos moves xx").error(), HasSubstr("not a move"));
  EXPECT_THAT(parse_position("sfen nonsense b - 1").error(), HasSubstr("position: "));
  EXPECT_THAT(parse_position("begin").error(), HasSubstr("'startpos' or 'sfen'"));
  EXPECT_THAT(parse_position("startpos 7g7f").error(), HasSubstr("'moves' expected"));
}

TEST(Info, CarriesChancesAndTheEndOfALine) {
  Info info{.depth = 3, .score = Score{.value = 100}, .wdl = wdl_of({.value = 100})};
  info.pv = {usi_move("7g7f")};
  info.pv_end = "rep_draw";
  EXPECT_EQ(to_text(info), "info depth 3 score cp 100 wdl 537 0 463 pv 7g7f rep_draw");
  const Info back = parse_info("depth 3 score cp 100 wdl 537 0 463 pv 7g7f rep_draw");
  EXPECT_EQ(back.wdl, info.wdl);
  EXPECT_EQ(back.pv, info.pv);
  EXPECT_FALSE(parse_info("depth 3 wdl 537 x").wdl);
}

TEST(Info, ChancesFollowTheCurve) {
  EXPECT_EQ(wdl_of({.value = 0}), (Wdl{500, 0, 500}));
  EXPECT_EQ(wdl_of({.value = -100}), (Wdl{463, 0, 537}));
  EXPECT_EQ(wdl_of({.value = 30'000}), (Wdl{1'000, 0, 0}));
  EXPECT_EQ(wdl_of({.kind = Score::Kind::win, .value = 5}), (Wdl{1'000, 0, 0}));
  EXPECT_EQ(wdl_of({.kind = Score::Kind::lose}), (Wdl{0, 0, 1'000}));
}

}  // namespace
}  // namespace fuhyo::usi
