// Clock arithmetic: what is charged, what is late, when the flag falls, for every kind of time control.
#include "server/core/games/clock.h"

#include <gtest/gtest.h>
#include <vector>

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

TEST(Clock, SaysWhatRemainsAndFromWhenOnAMoveIsLate) {
  constexpr TimeRule kSudden{.total_s = 2}, kByoyomi{.total_s = 2, .byoyomi_s = 10};
  constexpr TimeRule kFischer{.total_s = 2, .increment_s = 2};  // credits the move that is being made
  constexpr TimeRule kStopWatch{.total_s = 100, .stopwatch_s = 60};
  struct Case {
    const char* name;
    TimeRule rule;
    std::vector<std::int32_t> spent_s;
    std::int32_t remaining_s, last_s, late_s, flag_s;
  };
  const Case cases[] = {{"sudden death", kSudden, {}, 2, 1, 2, 2},
                        {"sudden death, after a move", kSudden, {1}, 1, 0, 1, 1},
                        {"byoyomi", kByoyomi, {}, 2, 11, 12, 12},
                        {"byoyomi alone", kByoyomi, {5}, 0, 9, 10, 10},
                        {"Fischer", kFischer, {}, 2, 3, 4, 4},
                        {"Fischer, after a move", kFischer, {3}, 1, 2, 3, 3},
                        {"Fischer, after a move at once", kFischer, {3, 0}, 3, 4, 5, 5},
                        {"stop watch", kStopWatch, {}, 100, 60, 120, 120},
                        {"stop watch, after a move", kStopWatch, {60}, 40, 0, 60, 60}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Clock clock(c.rule);
    for (const std::int32_t spent_s : c.spent_s) clock.spend(BLACK, spent_s);
    EXPECT_EQ(clock.remaining_s(BLACK), c.remaining_s);
    EXPECT_EQ(clock.remaining_s(WHITE), c.rule.total_s);
    EXPECT_FALSE(clock.is_late(BLACK, c.last_s));
    EXPECT_TRUE(clock.is_late(BLACK, c.late_s));
    EXPECT_EQ(clock.flag_us(BLACK), c.flag_s * kSecond);
  }
}

TEST(Clock, AllZeroIsUnlimited) {
  const Clock clock(TimeRule{.least_s = 1});
  EXPECT_FALSE(clock.is_late(BLACK, 1'000'000));
  EXPECT_EQ(clock.flag_us(BLACK), Clock::kNever);
}

TEST(Clock, I7_StopWatchCountsWholeUnits) {
  const Clock clock(TimeRule{.total_s = 100, .stopwatch_s = 60});
  EXPECT_EQ(clock.charge_s(BLACK, 59 * kSecond), 0);
  EXPECT_EQ(clock.charge_s(BLACK, 60 * kSecond), 60);
  EXPECT_EQ(clock.charge_s(BLACK, 119 * kSecond), 60);
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
