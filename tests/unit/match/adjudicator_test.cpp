#include "engines/match/adjudicator.h"

#include <gtest/gtest.h>

namespace fuhyo::match {
namespace {

using GameEnd = Adjudicator::GameEnd;
using shogi::BLACK;
using shogi::WHITE;

std::optional<usi::Score> cp(int value) { return usi::Score{.value = value}; }

TEST(Adjudicator, TakesALosingSideAtItsWord) {
  Adjudicator judge({.resign_cp = 1000, .resign_moves = 2});
  EXPECT_EQ(judge.moved(BLACK, cp(-1000), 10), std::nullopt);
  EXPECT_EQ(judge.moved(WHITE, cp(-5000), 11), std::nullopt);
  EXPECT_EQ(judge.moved(BLACK, cp(-999), 12), std::nullopt) << "the series is broken";
  EXPECT_EQ(judge.moved(WHITE, cp(-1000), 13), (GameEnd{GameResult::black_wins, Ending::adjudicated_win}));
}

TEST(Adjudicator, AsksBothSidesIfItIsTo) {
  Adjudicator judge({.resign_cp = 500, .resign_moves = 2, .both = true});
  EXPECT_EQ(judge.moved(BLACK, cp(-600), 1), std::nullopt);
  EXPECT_EQ(judge.moved(WHITE, cp(499), 2), std::nullopt);
  EXPECT_EQ(judge.moved(BLACK, cp(-600), 3), std::nullopt) << "White is not sure";
  EXPECT_EQ(judge.moved(WHITE, cp(500), 4), std::nullopt);
  EXPECT_EQ(judge.moved(BLACK, cp(-700), 5), std::nullopt);
  EXPECT_EQ(judge.moved(WHITE, cp(700), 6), (GameEnd{GameResult::white_wins, Ending::adjudicated_win}));
}

TEST(Adjudicator, DrawsWhatStaysEvenButNotTooSoon) {
  Adjudicator judge({.draw_cp = 10, .draw_moves = 2, .draw_after = 6});
  for (int ply = 1; ply < 6; ++ply) {
    EXPECT_EQ(judge.moved(ply % 2 ? BLACK : WHITE, cp(ply % 2 ? 10 : -10), ply), std::nullopt);
  }
  EXPECT_EQ(judge.moved(WHITE, std::nullopt, 6), std::nullopt) << "no score breaks the series";
  EXPECT_EQ(judge.moved(BLACK, cp(0), 7), std::nullopt);
  EXPECT_EQ(judge.moved(WHITE, cp(0), 8), std::nullopt);
  EXPECT_EQ(judge.moved(BLACK, cp(0), 9), std::nullopt);
  EXPECT_EQ(judge.moved(WHITE, cp(0), 10), (GameEnd{GameResult::draw, Ending::adjudicated_draw}));
}

TEST(Adjudicator, DoesNothingUnasked) {
  Adjudicator judge({});
  for (int ply = 1; ply < 400; ++ply) EXPECT_EQ(judge.moved(ply % 2 ? BLACK : WHITE, cp(-30'000), ply), std::nullopt);
}

TEST(Centipawns, OfAMateAreBeyondEveryEvaluation) {
  EXPECT_EQ(centipawns({.kind = usi::Score::Kind::win, .value = 5}), 29'995);
  EXPECT_EQ(centipawns({.kind = usi::Score::Kind::lose, .value = 4}), -29'996);
  EXPECT_EQ(centipawns({.kind = usi::Score::Kind::lose, .value = 0}), -30'000) << "in an unknown number of plies";
  EXPECT_EQ(centipawns({.value = -123}), -123);
}

}  // namespace
}  // namespace fuhyo::match
