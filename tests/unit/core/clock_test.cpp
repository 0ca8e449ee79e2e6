// Clock arithmetic: what is charged, what is late, when the flag falls, for every kind of time control.
#include "server/core/games/clock.h"

#include <gtest/gtest.h>

namespace fuhyo::core {
namespace {

using shogi::BLACK;
using shogi::WHITE;

TEST(Clock, ChargesWholeSecondsAndAtLeastTheLeastTime) {
  const Clock clock(TimeRule{.total_s = 10});
  EXPECT_EQ(clock.charge_s(BLACK, -5), 0);
  EXPECT_EQ(clock.charge_s(BLACK, 0), 0);
  EXPECT_EQ(clock.charge_s(BLACK, 999'999), 0);
  EXPECT_EQ(clock.charge_s(BLACK, 1'000'000), 1);
  const Clock least(TimeRule{.total_s = 10, .least_s = 1});
  EXPECT_EQ(least.charge_s(BLACK, 0), 1);
  EXPECT_EQ(least.charge_s(BLACK, 2'500'000), 2);
}

TEST(Clock, SuddenDeathIsLostWhenNothingRemains) {
  Clock clock(TimeRule{.total_s = 2});
  EXPECT_FALSE(clock.is_late(BLACK, 1));
  EXPECT_TRUE(clock.is_late(BLACK, 2));
  EXPECT_EQ(clock.flag_us(BLACK), 2 * kSecond);
  clock.spend(BLACK, 1);
  EXPECT_EQ(clock.remaining_s(BLACK), 1);
  EXPECT_EQ(clock.remaining_s(WHITE), 2);
  EXPECT_EQ(clock.flag_us(BLACK), 1 * kSecond);
}

TEST(Clock, ByoyomiOfTenLosesAtTen) {
  Clock clock(TimeRule{.total_s = 2, .byoyomi_s = 10});
  EXPECT_EQ(clock.flag_us(BLACK), 12 * kSecond);
  clock.spend(BLACK, 5);
  EXPECT_EQ(clock.remaining_s(BLACK), 0);
  EXPECT_FALSE(clock.is_late(BLACK, 9));
  EXPECT_TRUE(clock.is_late(BLACK, 10));
}

TEST(Clock, FischerCreditsTheMoveBeingMade) {
  Clock clock(TimeRule{.total_s = 2, .increment_s = 2});
  EXPECT_FALSE(clock.is_late(BLACK, 3));
  EXPECT_TRUE(clock.is_late(BLACK, 4));
  clock.spend(BLACK, 3);
  EXPECT_EQ(clock.remaining_s(BLACK), 1);
  clock.spend(BLACK, 0);
  EXPECT_EQ(clock.remaining_s(BLACK), 3);
}

TEST(Clock, AllZeroIsUnlimited) {
  const Clock clock(TimeRule{.least_s = 1});
  EXPECT_FALSE(clock.is_late(BLACK, 1'000'000));
  EXPECT_EQ(clock.flag_us(BLACK), Clock::kNever);
}

TEST(Clock, I7_StopWatchCountsWholeUnits) {
  Clock clock(TimeRule{.total_s = 100, .stopwatch_s = 60});
  EXPECT_EQ(clock.charge_s(BLACK, 59 * kSecond), 0);
  EXPECT_EQ(clock.charge_s(BLACK, 60 * kSecond), 60);
  EXPECT_EQ(clock.charge_s(BLACK, 119 * kSecond), 60);
  EXPECT_FALSE(clock.is_late(BLACK, 60));
  EXPECT_TRUE(clock.is_late(BLACK, 120));
  EXPECT_EQ(clock.flag_us(BLACK), 120 * kSecond);
  clock.spend(BLACK, 60);
  EXPECT_EQ(clock.remaining_s(BLACK), 40);
  EXPECT_EQ(clock.flag_us(BLACK), 60 * kSecond);
}

// The flag and a late move are one predicate: at every microsecond around the flag they agree.
TEST(Clock, I7_FlagFallsExactlyWhereMovesBecomeLate) {
  for (const TimeRule rule :
       {TimeRule{.total_s = 5}, TimeRule{.total_s = 0, .byoyomi_s = 3}, TimeRule{.total_s = 7, .increment_s = 2},
        TimeRule{.total_s = 90, .stopwatch_s = 60}, TimeRule{.total_s = 5, .least_s = 1}}) {
    const Clock clock(rule);
    const std::int64_t flag = clock.flag_us(BLACK);
    EXPECT_FALSE(clock.is_late(BLACK, clock.charge_s(BLACK, flag - 1)));
    EXPECT_TRUE(clock.is_late(BLACK, clock.charge_s(BLACK, flag)));
  }
}

TEST(Clock, LeastTimeCanBeTooMuchByItself) {
  const Clock clock(TimeRule{.total_s = 0, .byoyomi_s = 1, .least_s = 1});
  EXPECT_TRUE(clock.is_late(BLACK, clock.charge_s(BLACK, 0)));
  EXPECT_EQ(clock.flag_us(BLACK), 0);
}

TEST(Clock, HugeTimesDoNotOverflow) {
  const Clock clock(TimeRule{.total_s = 999'999, .byoyomi_s = 999'999});
  EXPECT_TRUE(clock.is_late(BLACK, clock.charge_s(BLACK, INT64_MAX)));
}

TEST(Clock, LatenessInWords) {
  EXPECT_EQ(describe_lateness(2'800'000, 2'000'000), "late by 0.8 s");
  EXPECT_EQ(describe_lateness(2'001'000, 2'000'000), "late by 0.001 s");
}

}  // namespace
}  // namespace fuhyo::core
