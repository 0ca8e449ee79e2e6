#include "engines/match/tune/trial_games.h"

#include <gtest/gtest.h>

#include "engines/match/tune/spsa.h"

namespace fuhyo::match::tune {
namespace {

Spsa begun(const SpsaRules& rules = {}) {
  return *Spsa::begin(*read_parameters("a,int,100,0,200,10,0.002\n", "f"), rules);
}

TEST(TrialGames, EachOpeningIsPlayedWithBothColours) {
  Spsa spsa = begun();
  TrialGames games(spsa, 4, 8);
  std::vector<TrialGame> all;
  while (auto game = games.next()) all.push_back(*game);
  ASSERT_EQ(all.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(all[i].number, static_cast<std::int64_t>(i));
    EXPECT_EQ(all[i].opening, static_cast<std::int64_t>(i / 2));
  }
  for (std::size_t i = 0; i < 8; i += 2) EXPECT_NE(all[i].plus_is_black, all[i + 1].plus_is_black);
  EXPECT_EQ(all[0].plus, all[3].plus);
  EXPECT_NE(all[0].plus, all[0].minus);
}

// As YaneuraOu's scripts: two games an update, from one position, with colours swapped.
TEST(TrialGames, HalvesAgainstTheBaseShareTheirOpening) {
  Spsa spsa = begun(yaneuraou_rules());
  TrialGames games(spsa, 1, 4);
  std::vector<TrialGame> all;
  while (auto game = games.next()) all.push_back(*game);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].opening, all[1].opening);
  EXPECT_NE(all[0].plus_is_black, all[1].plus_is_black);
  EXPECT_NE(all[1].opening, all[2].opening);
}

TEST(TrialGames, ATrialIsReportedWhenItsLastGameIsOver) {
  Spsa spsa = begun();
  TrialGames games(spsa, 2, 4);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(games.next());
  EXPECT_FALSE(games.next());
  EXPECT_FALSE(*games.played(0, 2));
  EXPECT_FALSE(*games.played(3, 0));
  EXPECT_EQ(games.unfinished(), 2);
  EXPECT_EQ(spsa.games(), 0);
  EXPECT_EQ(spsa.best()[0], 100);
  EXPECT_TRUE(*games.played(1, 1));
  EXPECT_EQ(spsa.games(), 2);
  EXPECT_NE(spsa.best()[0], 100);
  EXPECT_FALSE(games.next());
  EXPECT_TRUE(*games.played(2, 0));
  EXPECT_EQ(games.unfinished(), 0);
  EXPECT_FALSE(games.next());
}

TEST(TrialGames, AGameCountsOnce) {
  Spsa spsa = begun();
  TrialGames games(spsa, 2, 4);
  ASSERT_TRUE(games.next());
  EXPECT_FALSE(games.played(1, 2));
  EXPECT_TRUE(games.played(0, 2));
  EXPECT_EQ(games.played(0, 2).error(), "game 0 is not under way");
}

// The trial whose games were broken off is played anew, the same.
TEST(TrialGames, WhatWasBrokenOffIsPlayedAnew) {
  Spsa spsa = begun();
  TrialGames games(spsa, 2, 100);
  const auto first = games.next();
  ASSERT_TRUE(games.next());
  ASSERT_TRUE(games.played(0, 2));
  auto resumed = load_tuner(spsa.save(), "s");
  ASSERT_TRUE(resumed);
  TrialGames again(**resumed, 2, 100);
  const auto same = again.next();
  EXPECT_EQ(same->plus, first->plus);
  EXPECT_EQ(same->opening, first->opening);
  EXPECT_EQ(same->plus_is_black, first->plus_is_black);
}

}  // namespace
}  // namespace fuhyo::match::tune
