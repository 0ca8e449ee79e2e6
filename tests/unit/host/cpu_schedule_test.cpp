// Who may think when there are fewer threads than players.
#include "server/host/cpu_schedule.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace fuhyo::host {
namespace {

// Players 1, 2, ... with what each needs, before so many threads.
CpuSchedule schedule(int threads, std::initializer_list<CpuSchedule::Needs> players) {
  CpuSchedule seats(threads);
  CpuSchedule::Id id = 0;
  for (const CpuSchedule::Needs& needs : players) seats.join(++id, needs);
  return seats;
}

TEST(CpuSchedule, GivesAsManySeatsAsThereAreThreads) {
  CpuSchedule seats = schedule(2, {{}, {}, {}});
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

TEST(CpuSchedule, WhoHasWaitedLongestComesFirst) {
  CpuSchedule seats = schedule(1, {{}, {}, {}});
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

TEST(CpuSchedule, TheLargeAreNotOvertakenByTheSmall) {
  CpuSchedule seats = schedule(4, {{.threads = 1}, {.threads = 4}, {.threads = 1}});
  ASSERT_TRUE(seats.claim(1, "a", false));
  EXPECT_FALSE(seats.may_enter(2));
  EXPECT_FALSE(seats.may_enter(3)) << "else the second might never play";
  seats.release(1);
  EXPECT_TRUE(seats.may_enter(2));
  EXPECT_TRUE(seats.may_enter(3)) << "both fit, each alone";
}

TEST(CpuSchedule, ARoundMayCallUpNoMoreThanFitTogether) {
  CpuSchedule seats(2);
  for (const CpuSchedule::Id player : {1u, 2u, 3u}) seats.join(player, {.group = "floodgate-300-10F"});
  seats.join(4, {.group = "floodgate-900-0"});
  EXPECT_TRUE(seats.may_enter(1));
  EXPECT_TRUE(seats.may_enter(2));
  EXPECT_FALSE(seats.may_enter(3));
  EXPECT_TRUE(seats.may_enter(4)) << "of another group";
}

TEST(CpuSchedule, OpponentsTakeTurnsAndShareTheirSeatsAndThoseThatPonderDoNot) {
  CpuSchedule seats = schedule(4, {{.threads = 1}, {.threads = 3}, {.threads = 1}});
  EXPECT_TRUE(seats.claim(1, "a", false, 2));
  EXPECT_TRUE(seats.claim(2, "a", false, 1));
  EXPECT_EQ(seats.taken(), 3);
  seats.claim(3, "b", false);
  EXPECT_EQ(seats.seats(1), (std::vector<int>{0}));
  EXPECT_EQ(seats.seats(2), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(seats.seats(3), (std::vector<int>{3}));
  seats.release(1);
  EXPECT_TRUE(seats.seats(1).empty());
  EXPECT_EQ(seats.taken(), 4);
  CpuSchedule one = schedule(1, {{}, {}});
  for (const CpuSchedule::Id player : {1u, 2u}) EXPECT_TRUE(one.claim(player, "same", false));
  EXPECT_EQ(one.taken(), 1);

  CpuSchedule pondering = schedule(2, {{.threads = 1, .ponders = true}, {}});
  EXPECT_TRUE(pondering.claim(1, "same", false, 2));
  EXPECT_EQ(pondering.taken(), 2) << "both think at once";
  EXPECT_TRUE(pondering.claim(2, "same", false, 1));
  EXPECT_EQ(pondering.taken(), 2);
  EXPECT_TRUE(pondering.may_ponder(1));
  EXPECT_NE(pondering.seats(1), pondering.seats(2));

  CpuSchedule large = schedule(2, {{.threads = 16}});
  EXPECT_TRUE(large.claim(1, "a", false));
  EXPECT_EQ(large.taken(), 2) << "it needs more than there is, and has all";
}

TEST(CpuSchedule, TwoThatCouldNeverPonderTogetherPlayWithoutIt) {
  CpuSchedule seats = schedule(4, {{.threads = 3, .ponders = true}, {.threads = 3, .ponders = true}, {}});
  EXPECT_TRUE(seats.may_ponder(1));
  ASSERT_TRUE(seats.claim(1, "same", false, 2));
  EXPECT_FALSE(seats.may_ponder(1)) << "its opponent is ours, too, and needs three as well";
  ASSERT_TRUE(seats.claim(2, "same", false, 1));
  EXPECT_FALSE(seats.may_ponder(2));
  EXPECT_EQ(seats.taken(), 3) << "they take turns";
  EXPECT_TRUE(seats.claim(3, "another", false));
  seats.release(1);
  seats.release(2);
  ASSERT_TRUE(seats.claim(1, "with a guest", false));
  EXPECT_TRUE(seats.may_ponder(1));
}

// Two pairs that are offered their games at the same moment must not take half a game each.
TEST(CpuSchedule, AGameHasItsThreadsWholeOrNotAtAll) {
  const CpuSchedule::Needs two{.threads = 2, .ponders = true};
  CpuSchedule seats = schedule(4, {two, two, two, two});
  EXPECT_TRUE(seats.claim(1, "a", false, 2));
  EXPECT_FALSE(seats.claim(3, "b", false, 4)) << "the second of the first game has its seat already";
  EXPECT_TRUE(seats.claim(2, "a", false, 1));
  EXPECT_FALSE(seats.claim(4, "b", false, 3));
  EXPECT_EQ(seats.taken(), 4);
  seats.release(1);
  seats.release(2);
  EXPECT_TRUE(seats.is_seated(3));
  EXPECT_TRUE(seats.is_seated(4));
}

TEST(CpuSchedule, WhoFoundNoSeatForItsGameComesBackWhenThatWouldFit) {
  CpuSchedule seats = schedule(4, {{.threads = 2, .ponders = true}, {.threads = 2, .ponders = true}, {.threads = 2}});
  ASSERT_TRUE(seats.claim(3, "long", false));
  ASSERT_TRUE(seats.may_enter(1));
  ASSERT_FALSE(seats.claim(1, "a", false, 2));
  ASSERT_FALSE(seats.claim(2, "a", false, 1));
  seats.release(1);  // nobody had a minute's patience
  seats.release(2);
  EXPECT_FALSE(seats.may_enter(1)) << "else it is offered the same game again, and again";
  EXPECT_FALSE(seats.may_enter(2));
  seats.release(3);
  EXPECT_TRUE(seats.may_enter(1));
  EXPECT_TRUE(seats.may_enter(2));
  ASSERT_TRUE(seats.claim(1, "a", false, 2));
  ASSERT_TRUE(seats.claim(2, "a", false, 1));
  seats.release(1);
  seats.release(2);
  seats.claim(3, "long", false);
  EXPECT_TRUE(seats.may_enter(1)) << "it has played, and may meet a guest";
}

TEST(CpuSchedule, AGameThatGoesOnHasItsSeat) {
  CpuSchedule seats = schedule(1, {{}, {}});
  EXPECT_TRUE(seats.claim(1, "a", true));
  EXPECT_TRUE(seats.claim(2, "b", true)) << "its clock runs";
  seats.release(1);
  EXPECT_FALSE(seats.may_enter(1));
}

TEST(CpuSchedule, WhoGivesWayTakesNoSeat) {
  CpuSchedule seats = schedule(1, {{.gives_way = true}, {.gives_way = true}, {}});
  EXPECT_TRUE(seats.claim(1, "show", false));
  EXPECT_TRUE(seats.claim(2, "show", false));
  EXPECT_TRUE(seats.may_enter(3));
  ASSERT_TRUE(seats.claim(3, "a", false)) << "a show takes nothing from anybody";
  EXPECT_EQ(seats.taken(), 1);
}

TEST(CpuSchedule, WhoLeavesFreesItsSeat) {
  CpuSchedule seats = schedule(1, {{}, {}});
  ASSERT_TRUE(seats.claim(1, "a", false));
  ASSERT_FALSE(seats.claim(2, "b", false));
  seats.leave(1);
  EXPECT_TRUE(seats.is_seated(2));
  seats.release(7);  // nobody
}

// Whatever happens: never more threads than there are, and everybody plays in the end.
TEST(CpuSchedule, IsNeverOvercommittedAndStarvesNobody) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 rng(seed);
    CpuSchedule seats(1 + static_cast<int>(rng() % 4));
    const CpuSchedule::Id count = 2 + rng() % 8;
    std::set<CpuSchedule::Id> playing, hungry;
    std::map<CpuSchedule::Id, std::pair<CpuSchedule::Id, std::string>> invited;  // by whom, to which game
    for (CpuSchedule::Id id = 1; id <= count; ++id) {
      seats.join(id, {.threads = 1 + static_cast<int>(rng() % 4), .ponders = rng() % 2 == 0});
      hungry.insert(id);
    }
    int game = 0;
    std::map<CpuSchedule::Id, std::string> games;
    for (int step = 0; step < 2'000; ++step) {
      const CpuSchedule::Id id = 1 + rng() % count;
      if (playing.contains(id)) {
        if (rng() % 2 != 0) continue;
        // Whoever waits for a seat loses patience at times.
        if (!seats.is_seated(id) && rng() % 8 != 0) continue;
        if (seats.is_seated(id)) hungry.erase(id);
        seats.release(id);
        playing.erase(id);
      } else if (invited.contains(id)) {
        const auto [by, name] = invited.at(id);
        invited.erase(id);
        seats.claim(id, name, false, by);
        games[id] = name;
        playing.insert(id);
      } else if (seats.may_enter(id)) {
        const CpuSchedule::Id rival = 1 + rng() % count;
        const bool is_ours =
            rival != id && !playing.contains(rival) && !invited.contains(rival) && seats.may_enter(rival);
        seats.claim(id, std::to_string(++game), false, is_ours ? rival : 0);
        playing.insert(id);
        games[id] = std::to_string(game);
        if (is_ours) invited[rival] = {id, std::to_string(game)};
      }
      ASSERT_LE(seats.taken(), seats.capacity()) << "seed " << seed;
      std::map<int, std::string> owners;  // of each seat, the game
      for (const auto& [player, name] : games) {
        for (const int seat : seats.seats(player)) {
          ASSERT_EQ(owners.emplace(seat, name).first->second, name) << "seed " << seed << " step " << step;
        }
      }
    }
    EXPECT_TRUE(hungry.empty()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fuhyo::host
