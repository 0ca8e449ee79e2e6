// The clock of a turn that pauses stop.
#include "server/core/games/turn_clock.h"

#include <gtest/gtest.h>

namespace fuhyo::core {
namespace {

constexpr Instant at(std::int64_t seconds) { return Instant{seconds * 1'000'000}; }
constexpr std::int64_t kSecond_us = 1'000'000;

TEST(TurnClock, RunsFromItsBeginning) {
  TurnClock clock;
  EXPECT_EQ(clock.elapsed_us(at(10)), 0) << "it does not run yet";
  clock.run(at(10));
  EXPECT_EQ(clock.elapsed_us(at(7)), 0) << "said before";
  EXPECT_EQ(clock.elapsed_us(at(13)), 3 * kSecond_us);
  EXPECT_EQ(clock.used_us(), 0);
}

TEST(TurnClock, StandsStillInAPause) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  EXPECT_EQ(clock.elapsed_us(at(100)), 4 * kSecond_us);
  EXPECT_EQ(clock.elapsed_us(at(11)), 1 * kSecond_us) << "said before the pause";
  clock.run(at(100));
  EXPECT_EQ(clock.used_us(), 4 * kSecond_us);
  EXPECT_EQ(clock.elapsed_us(at(50)), 4 * kSecond_us) << "said in the pause";
  EXPECT_EQ(clock.elapsed_us(at(102)), 6 * kSecond_us);
}

// A pause may begin before the end of the former one is on the disk: the clock has not run between.
TEST(TurnClock, TwoPausesWithoutAnythingBetween) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  clock.stop(at(30));
  clock.run(at(60));
  EXPECT_EQ(clock.used_us(), 4 * kSecond_us);
  EXPECT_EQ(clock.elapsed_us(at(20)), 4 * kSecond_us);
  EXPECT_EQ(clock.elapsed_us(at(61)), 5 * kSecond_us);
}

TEST(TurnClock, TwoPausesWithALineFromTheFirst) {
  TurnClock clock;
  clock.run(at(10));
  clock.stop(at(14));
  clock.run(at(20));
  clock.stop(at(23));
  EXPECT_EQ(clock.elapsed_us(at(16)), 4 * kSecond_us);
  EXPECT_EQ(clock.elapsed_us(at(21)), 5 * kSecond_us);
  EXPECT_EQ(clock.elapsed_us(at(99)), 7 * kSecond_us);
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
