#include "engines/members/value.h"

#include <gtest/gtest.h>

namespace fuhyo::members {
namespace {

using Kind = Value::Kind;

Value chance(double c) { return {.chance = c}; }
Value win(int plies) { return {.kind = Kind::win, .chance = 1, .plies = plies}; }
Value loss(int plies) { return {.kind = Kind::loss, .chance = 0, .plies = plies}; }

TEST(Value, CentipawnsBecomeWinRatesByTheScale) {
  usi::Info info{.score = usi::Score{.value = 600}};
  EXPECT_NEAR(value_of(info, 600)->chance, 0.7311, 1e-4);
  EXPECT_NEAR(value_of(info, 756)->chance, 0.6886, 1e-4);
  info.wdl = usi::Wdl{.win = 300, .draw = 200, .lose = 500};
  EXPECT_NEAR(value_of(info, 600)->chance, 0.4, 1e-9) << "chances that are told count, not centipawns";
  EXPECT_FALSE(value_of({}, 600));
  info.wdl = usi::Wdl{.win = 0, .draw = 0, .lose = 0};
  EXPECT_NEAR(value_of(info, 600)->chance, 0.7311, 1e-4) << "no chances at all";
  info.score = usi::Score{.value = -100'000};
  EXPECT_GT(value_of(info, 600)->chance, 0) << "never certain";
}

TEST(Value, AMateIsAProofUnlessItIsBoundedFromTheWrongSide) {
  using Score = usi::Score;
  const auto kind = [](Score::Kind kind, Score::Bound bound) {
    const auto value = value_of({.score = Score{.kind = kind, .value = 7, .bound = bound}}, 600);
    return value ? std::optional(value->kind) : std::nullopt;
  };
  EXPECT_EQ(kind(Score::Kind::win, Score::Bound::exact), Kind::win);
  EXPECT_EQ(kind(Score::Kind::win, Score::Bound::lower), Kind::win);
  EXPECT_EQ(kind(Score::Kind::win, Score::Bound::upper), std::nullopt);
  EXPECT_EQ(kind(Score::Kind::lose, Score::Bound::upper), Kind::loss);
  EXPECT_EQ(kind(Score::Kind::lose, Score::Bound::lower), std::nullopt);
}

TEST(Value, SeenFromBehindItIsNegated) {
  EXPECT_NEAR(before_move(chance(0.3)).chance, 0.7, 1e-9);
  EXPECT_EQ(before_move(win(4)), loss(5));
  EXPECT_EQ(before_move(loss(4)), win(5));
  EXPECT_EQ(before_move(loss(0)), win(0));
}

TEST(Value, IsToldOnTheCurveThatTheGuiIsTold) {
  for (const double c : {0.1, 0.5, 0.83}) {
    EXPECT_NEAR(usi::wdl_of(score_of(chance(c))).win, c * 1'000, 1);
  }
  EXPECT_EQ(score_of(win(5)), (usi::Score{.kind = usi::Score::Kind::win, .value = 5}));
  EXPECT_EQ(score_of(loss(6)), (usi::Score{.kind = usi::Score::Kind::lose, .value = 6}));
}

}  // namespace
}  // namespace fuhyo::members
