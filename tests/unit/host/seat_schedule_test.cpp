#include "server/host/seat_schedule.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace fuhyo::host {
namespace {

TEST(SeatSchedule, GivesAsManySeatsAsThereAreThreads) {
  SeatSchedule seats(2);
  for (const SeatSchedule::Id player : {1u, 2u, 3u}) seats.join(player, {});
  EXPECT_TRUE(seats.claim(1, "a", false));
  EXPECT_TRUE(seats.may_enter(2));
  EXPECT_TRUE(seats.claim(2, "b", false));
  EXPECT_FALSE(seats.may_enter(3)) << "both threads think";
  EXPECT_FALSE(seats.claim(3, "c", false)) << "it was offered a game before it had left the lobby";
  EXPECT_EQ(seats.waiting(), 1);
  seats.release(1);
  EXPECT_TRUE(seats.is_seated(3));
  EXPECT_EQ(seats.taken(), 2);
}

TEST(SeatSchedule, WhoHasWaitedLongestComesFirst) {
  SeatSchedule seats(1);
  for (const SeatSchedule::Id player : {1u, 2u, 3u}) seats.join(player, {});
  ASSERT_TRUE(seats.claim(2, "b", false));
  EXPECT_FALSE(seats.claim(3, "c", false));
  EXPECT_FALSE(seats.claim(1, "a", false));
  seats.release(2);
  EXPECT_TRUE(seats.is_seated(1)) << "it joined before the third, although it claimed later";
  EXPECT_FALSE(seats.is_seated(3));
  seats.release(1);
  EXPECT_FALSE(seats.claim(1, "a", false)) << "whoever has played is the last";
  EXPECT_TRUE(seats.is_seated(3));
}

TEST(SeatSchedule, TheLargeAreNotOvertakenByTheSmall) {
  SeatSchedule seats(4);
  seats.join(1, {.threads = 1});
  seats.join(2, {.threads = 4});
  seats.join(3, {.threads = 1});
  ASSERT_TRUE(seats.claim(1, "a", false));
  EXPECT_FALSE(seats.may_enter(2));
  EXPECT_FALSE(seats.may_enter(3)) << "else the second might never play";
  seats.release(1);
  EXPECT_TRUE(seats.may_enter(2));
  EXPECT_TRUE(seats.may_enter(3)) << "both fit, each alone";
}

TEST(SeatSchedule, ARoundMayCallUpNoMoreThanFitTogether) {
  SeatSchedule seats(2);
  for (const SeatSchedule::Id player : {1u, 2u, 3u}) seats.join(player, {.group = "floodgate-300-10F"});
  seats.join(4, {.group = "floodgate-900-0"});
  EXPECT_TRUE(seats.may_enter(1));
  EXPECT_TRUE(seats.may_enter(2));
  EXPECT_FALSE(seats.may_enter(3));
  EXPECT_TRUE(seats.may_enter(4)) << "of another group";
}

TEST(SeatSchedule, OneThatNeedsMoreThanThereIsNeedsAll) {
  SeatSchedule seats(2);
  seats.join(1, {.threads = 16});
  EXPECT_TRUE(seats.claim(1, "a", false));
  EXPECT_EQ(seats.taken(), 2);
}

TEST(SeatSchedule, OpponentsTakeTurns) {
  SeatSchedule seats(1);
  seats.join(1, {});
  seats.join(2, {});
  EXPECT_TRUE(seats.claim(1, "same", false));
  EXPECT_TRUE(seats.claim(2, "same", false));
  EXPECT_EQ(seats.taken(), 1);
  seats.release(1);
  EXPECT_EQ(seats.taken(), 1);

  SeatSchedule pondering(1);
  pondering.join(1, {.threads = 1, .ponders = true});
  pondering.join(2, {});
  EXPECT_TRUE(pondering.claim(1, "same", false));
  EXPECT_FALSE(pondering.claim(2, "same", false)) << "both would think at once";
}

TEST(SeatSchedule, AGameThatGoesOnHasItsSeat) {
  SeatSchedule seats(1);
  seats.join(1, {});
  seats.join(2, {});
  EXPECT_TRUE(seats.claim(1, "a", true));
  EXPECT_TRUE(seats.claim(2, "b", true)) << "its clock runs";
  seats.release(1);
  EXPECT_FALSE(seats.may_enter(1));
}

TEST(SeatSchedule, WhoRestsGivesWay) {
  SeatSchedule seats(1);
  seats.join(1, {.rests = true});
  seats.join(2, {.rests = true});
  seats.join(3, {});
  EXPECT_TRUE(seats.claim(1, "show", false));
  EXPECT_TRUE(seats.claim(2, "show", false));
  EXPECT_TRUE(seats.may_think(1));
  EXPECT_TRUE(seats.may_enter(3));
  ASSERT_TRUE(seats.claim(3, "a", false)) << "a show takes nothing from anybody";
  EXPECT_FALSE(seats.may_think(1));
  seats.release(3);
  EXPECT_TRUE(seats.may_think(1));
}

TEST(SeatSchedule, WhoLeavesFreesItsSeat) {
  SeatSchedule seats(1);
  seats.join(1, {});
  seats.join(2, {});
  ASSERT_TRUE(seats.claim(1, "a", false));
  ASSERT_FALSE(seats.claim(2, "b", false));
  seats.leave(1);
  EXPECT_TRUE(seats.is_seated(2));
  seats.release(7);  // nobody
}

// Whatever happens: never more threads than there are, and everybody plays in the end.
TEST(SeatSchedule, IsNeverOvercommittedAndStarvesNobody) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 rng(seed);
    SeatSchedule seats(1 + static_cast<int>(rng() % 4));
    const SeatSchedule::Id count = 2 + rng() % 8;
    std::set<SeatSchedule::Id> playing, hungry;
    for (SeatSchedule::Id id = 1; id <= count; ++id) {
      seats.join(id, {.threads = 1 + static_cast<int>(rng() % 4), .ponders = rng() % 2 == 0});
      hungry.insert(id);
    }
    int game = 0;
    for (int step = 0; step < 2'000; ++step) {
      const SeatSchedule::Id id = 1 + rng() % count;
      if (playing.contains(id)) {
        if (!seats.is_seated(id) || rng() % 2 != 0) continue;
        hungry.erase(id);
        seats.release(id);
        playing.erase(id);
      } else if (seats.may_enter(id)) {
        seats.claim(id, std::to_string(++game), false);
        playing.insert(id);
      }
      ASSERT_LE(seats.taken(), seats.capacity()) << "seed " << seed;
    }
    EXPECT_TRUE(hungry.empty()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fuhyo::host
