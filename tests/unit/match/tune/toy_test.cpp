#include "engines/match/tune/toy.h"

#include <gtest/gtest.h>

#include "engines/match/tune/random.h"

namespace fuhyo::match::tune {
namespace {

TEST(Toy, TheOptimumIsTheHighestPoint) {
  EXPECT_EQ(toy_elo(toy_optimum()), 0);
  EXPECT_DOUBLE_EQ(toy_elo(values_of(toy_parameters())), -kToyGain);
  Random chance(1, 1);
  for (int i = 0; i < 1'000; ++i) {
    Values values;
    for (const Parameter& each : toy_parameters()) {
      values.push_back(each.min + chance.uniform() * (each.max - each.min));
    }
    ASSERT_LT(toy_elo(values), 0);
  }
}

TEST(Toy, WhatOneParameterIsWorthDependsOnAnother) {
  Values values = toy_optimum();
  const double step = 100;
  values[0] += step;
  const double alone = toy_elo(values);
  values[1] += 50;
  const double together = toy_elo(values);
  values[0] -= step;
  EXPECT_LT(together, alone + toy_elo(values) - 0.01);
}

TEST(Toy, GamesFollowTheElo) {
  const Trial trial{.id = 3, .plus = toy_optimum(), .minus = values_of(toy_parameters())};
  const TrialResult result = play_toy(trial, 200'000, 7);
  EXPECT_EQ(result.games(), 200'000);
  EXPECT_NEAR(static_cast<double>(result.draws) / 200'000, 0.1, 0.003);
  // 20 Elo are 0.5288 of the decided games.
  EXPECT_NEAR(static_cast<double>(result.wins) / static_cast<double>(result.wins + result.losses), 0.5288, 0.004);
  const TrialResult again = play_toy(trial, 200'000, 7);
  EXPECT_EQ(again.wins, result.wins);
  EXPECT_NE(play_toy(trial, 200'000, 8).wins, result.wins);
}

}  // namespace
}  // namespace fuhyo::match::tune
