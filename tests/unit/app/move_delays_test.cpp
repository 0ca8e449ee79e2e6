// How long the server had moves: what a histogram tells of what it was given, and which share is whose.
#include "server/app/serve/move_delays.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace fuhyo::app {
namespace {

using core::GameId;
using core::Instant;
using core::MoveStamp;
using Way = MoveDelays::Way;

TEST(DelayHistogram, SmallValuesAreExactAndOfNothingItSaysNothing) {
  DelayHistogram histogram;
  const auto none = histogram.summary();
  EXPECT_EQ(none.count, 0u);
  EXPECT_EQ(none.p50_us, 0);
  EXPECT_EQ(none.p99_us, 0);
  EXPECT_EQ(none.max_us, 0);
  for (std::int64_t us = 1; us <= 15; ++us) histogram.add(us);
  const auto s = histogram.summary();
  EXPECT_EQ(s.count, 15u);
  EXPECT_EQ(s.p50_us, 8);
  EXPECT_EQ(s.p90_us, 14);
  EXPECT_EQ(s.p99_us, 15);
  EXPECT_EQ(s.max_us, 15);
}

TEST(DelayHistogram, EveryValueUpToItsLimitHasABucketOfItsSize) {
  for (std::int64_t us = 1; us < (std::int64_t{1} << 41); us += us / 13 + 1) {
    DelayHistogram histogram;
    histogram.add(us);
    histogram.add(std::int64_t{1} << 60);  // so that the largest does not cut it off
    EXPECT_GE(histogram.summary().p50_us, us);
    EXPECT_LE(histogram.summary().p50_us, us + us / 8) << us;
  }
}

TEST(DelayHistogram, OneInAHundredIsNotInTheNinetyNinth) {
  DelayHistogram histogram;
  for (int i = 0; i < 99; ++i) histogram.add(10);
  histogram.add(1'000'000);
  EXPECT_EQ(histogram.summary().p99_us, 10);
  EXPECT_EQ(histogram.summary().max_us, 1'000'000);
  histogram.add(1'000'000);
  EXPECT_GE(histogram.summary().p99_us, 1'000'000);
}

TEST(DelayHistogram, WhatCannotBeIsTakenForTheNearestThatCan) {
  DelayHistogram histogram;
  histogram.add(-5);
  EXPECT_EQ(histogram.summary().p99_us, 0);
  histogram.add(INT64_MAX);
  EXPECT_EQ(histogram.summary().max_us, INT64_MAX);
  EXPECT_EQ(histogram.summary().p99_us, INT64_MAX);
}

TEST(DelayHistogram, LosesNothingOfSeveralThreads) {
  DelayHistogram histogram;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&histogram, t] {
      for (int i = 0; i < 10'000; ++i) histogram.add(i * 4 + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(histogram.summary().count, 40'000u);
  EXPECT_EQ(histogram.summary().max_us, 39'999);
}

class Delays : public testing::Test {
 protected:
  // "moves max_us" of a row.
  std::string row(const std::string& what) const {
    for (const auto& each : delays.table().rows) {
      if (each.front() == what) return each[1] + " " + each.back();
    }
    return "no such row";
  }
  // Decided at once, and handed over 300 us after it came.
  void make_first() {
    delays.decided(first);
    now_us = 1'300;
    delays.handed_over(first, Way::socket, Instant{1'290});
  }
  std::int64_t now_us = 1'000;
  MoveDelays delays{[this] { return Instant{now_us}; }};
  MoveStamp first{.game = GameId{7}, .arrived = {1'000}};
};

TEST_F(Delays, EachWayHasItsRowAndTheClockItsPart) {
  make_first();
  const MoveStamp second{.game = GameId{8}, .arrived = {1'300}};
  delays.decided(second);
  now_us = 1'350;
  delays.handed_over(second, Way::builtin, Instant{1'310});
  EXPECT_EQ(row("all"), "2 300");
  EXPECT_EQ(row("socket"), "1 300");
  EXPECT_EQ(row("built-in"), "1 50");
  EXPECT_EQ(row("on the clock"), "2 40");
  EXPECT_EQ(row("before time ran out"), "0 0");
}

TEST_F(Delays, TheClockTakesNoMoreThanTheWhole) {
  delays.decided(first);
  now_us = 1'300;
  delays.handed_over(first, Way::socket, Instant{200});
  EXPECT_EQ(row("on the clock"), "1 300");
}

TEST_F(Delays, ALossOnTimeSaysHowLongTheMoveBeforeWasKept) {
  make_first();
  now_us = 9'000'000;
  EXPECT_EQ(delays.ended(GameId{7}, true), 300);
  EXPECT_EQ(row("before time ran out"), "1 300");
  EXPECT_EQ(delays.ended(GameId{7}, true), std::nullopt) << "it is over";
}

TEST_F(Delays, AMoveThatNeverLeftCountsUpToTheLoss) {
  delays.decided(first);
  now_us = 2'001'000;
  EXPECT_EQ(delays.ended(GameId{7}, true), 2'000'000);
}

TEST_F(Delays, OtherEndsAreNoLossesOnTime) {
  delays.decided(first);
  EXPECT_EQ(delays.ended(GameId{7}, false), std::nullopt);
  EXPECT_EQ(delays.ended(GameId{9}, true), std::nullopt) << "nobody has moved in it";
  EXPECT_EQ(row("before time ran out"), "0 0");
}

// Its line leaves when the game is over: the game is not kept for it.
TEST_F(Delays, WhatIsHandedOverAfterTheEndIsNotRemembered) {
  delays.decided(first);
  delays.ended(GameId{7}, false);
  delays.handed_over(first, Way::socket, first.arrived);
  EXPECT_EQ(row("all"), "1 0");
  EXPECT_EQ(delays.ended(GameId{7}, true), std::nullopt);
}

}  // namespace
}  // namespace fuhyo::app
