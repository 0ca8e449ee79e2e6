#include "engines/match/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

TEST(Schedule, OfTwoPlaysEachOpeningWithBothColours) {
  const auto schedule = Schedule::make({.engines = 2, .rounds = 5, .openings = 3});
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->games(), 10);
  for (std::int64_t number = 0; number < 10; ++number) {
    const Pairing pairing = schedule->at(number);
    EXPECT_EQ(pairing.number, number);
    EXPECT_EQ(pairing.engines[0], number % 2);
    EXPECT_EQ(pairing.engines[1], 1 - number % 2);
    EXPECT_EQ(pairing.opening, number / 2 % 3);
    EXPECT_EQ(pairing.encounter, number / 2);
  }
}

TEST(Schedule, OfARoundRobinLetsAllMeetInEachRound) {
  const auto schedule = Schedule::make({.engines = 4, .rounds = 2, .openings = 9});
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->games(), 2 * 6 * 2);
  std::map<std::array<int, 2>, int> met;
  for (std::int64_t number = 0; number < schedule->games(); ++number) {
    const Pairing pairing = schedule->at(number);
    EXPECT_EQ(pairing.round, number / 12);
    EXPECT_EQ(pairing.opening, pairing.round) << "one opening for everybody";
    ++met[pairing.engines];
  }
  EXPECT_EQ(met.size(), 12U);
  for (const auto& [who, times] : met) EXPECT_EQ(times, 2);
}

TEST(Schedule, OfAGauntletSparesItsSeedsEachOther) {
  const auto schedule = Schedule::make({.engines = 5, .tournament = Tournament::gauntlet, .seeds = 2, .rounds = 1});
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->games(), 2 * 3 * 2);
  for (const auto& [first, second] : schedule->meetings()) {
    EXPECT_LT(first, 2);
    EXPECT_GE(second, 2);
  }
}

TEST(Schedule, OfAChainLetsEachPlayTheNext) {
  const auto schedule = Schedule::make({.engines = 4, .tournament = Tournament::chain, .rounds = 3});
  ASSERT_TRUE(schedule);
  EXPECT_THAT(schedule->meetings(),
              testing::ElementsAre(testing::Pair(0, 1), testing::Pair(1, 2), testing::Pair(2, 3)));
  EXPECT_EQ(schedule->games(), 3 * 3 * 2);
}

TEST(Schedule, WithOneGameAnEncounterChangesColoursEveryRound) {
  const auto schedule = Schedule::make({.engines = 2, .rounds = 4, .games_per_encounter = 1});
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->games(), 4);
  for (std::int64_t number = 0; number < 4; ++number) {
    EXPECT_EQ(schedule->at(number).engines[0], number % 2);
    EXPECT_EQ(schedule->at(number).encounter, number);
  }
}

TEST(Schedule, OfNobodyIsRefused) {
  const auto why = [](const ScheduleOptions& options) { return Schedule::make(options).error(); };
  EXPECT_THAT(why({.engines = 1}), HasSubstr("two engines"));
  EXPECT_THAT(why({.engines = 2, .tournament = Tournament::gauntlet, .seeds = 2}), HasSubstr("seeds"));
  EXPECT_THAT(why({.engines = 2, .rounds = 0}), HasSubstr("round"));
  EXPECT_THAT(why({.engines = 2, .games_per_encounter = 3}), HasSubstr("one game or two"));
}

}  // namespace
}  // namespace fuhyo::match
