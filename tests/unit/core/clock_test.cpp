// Clock arithmetic: what is charged, what is late, when the flag falls, for every kind of time control; and pauses.
#include "server/core/games/clock.h"

#include <gtest/gtest.h>
#include <vector>

#include "server/core/games/turn_clock.h"

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

// ---- the clock of a turn, which pauses stop ----

constexpr Instant at(std::int64_t seconds) { return Instant{seconds * kSecond}; }

TEST(TurnClock, RunsFromItsBeginning) {
  TurnClock clock;
  EXPECT_EQ(clock.elapsed_us(at(10)), 0) << "it does not run yet";
  clock.run(at(10));
  EXPECT_EQ(clock.elapsed_us(at(7)), 0) << "said before";
  EXPECT_EQ(clock.elapsed_us(at(13)), 3 * kSecond);
  EXPECT_EQ(clock.used_us(), 0);
}

TEST(TurnClock, StandsStillInAPause) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  EXPECT_EQ(clock.elapsed_us(at(100)), 4 * kSecond);
  EXPECT_EQ(clock.elapsed_us(at(11)), 1 * kSecond) << "said before the pause";
  clock.run(at(100));
  EXPECT_EQ(clock.used_us(), 4 * kSecond);
  EXPECT_EQ(clock.elapsed_us(at(50)), 4 * kSecond) << "said in the pause";
  EXPECT_EQ(clock.elapsed_us(at(102)), 6 * kSecond);
}

// A pause may begin before the end of the former one is on the disk: the clock has not run between.
TEST(TurnClock, TwoPausesWithoutAnythingBetween) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  clock.stop(at(30));
  clock.run(at(60));
  EXPECT_EQ(clock.used_us(), 4 * kSecond);
  EXPECT_EQ(clock.elapsed_us(at(20)), 4 * kSecond);
  EXPECT_EQ(clock.elapsed_us(at(61)), 5 * kSecond);
}

TEST(TurnClock, TwoPausesWithALineFromTheFirst) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  clock.run(at(20));
  clock.stop(at(23));
  EXPECT_EQ(clock.elapsed_us(at(16)), 4 * kSecond);
  EXPECT_EQ(clock.elapsed_us(at(21)), 5 * kSecond);
  EXPECT_EQ(clock.elapsed_us(at(99)), 7 * kSecond);
}

TEST(TurnClock, AnotherTurnBeginsWithNothing) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  clock.begin();
  EXPECT_EQ(clock.used_us(), 0);
  EXPECT_EQ(clock.elapsed_us(at(99)), 0);
}

}  // namespace
}  // namespace fuhyo::core
