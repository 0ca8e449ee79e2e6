// Games whose colours have different clocks: how rooms and events ask for them, what players, watchers, records and the
// archive are told, and that every flag falls by its own side's rule, also after a crash.
#include "server/core/games/clock.h"
#include "server/core/games/finished_game.h"
#include "server/core/record_text.h"
#include "server/core/rooms/rules.h"
#include "tests/unit/core/event_test.h"

namespace fuhyo::test {
namespace {

using core::TimeRule;
using shogi::BLACK;
using shogi::WHITE;

constexpr std::string_view kUneven = "time-black=600-0 time-white=20-5F least-time-per-move=1";
constexpr std::string_view kBlocks =
    "BEGIN Time+\nTime_Unit:1sec\nTotal_Time:600\nByoyomi:0\nIncrement:0\nLeast_Time_Per_Move:1\nEND Time+\n"
    "BEGIN Time-\nTime_Unit:1sec\nTotal_Time:20\nByoyomi:0\nIncrement:5\nLeast_Time_Per_Move:1\nEND Time-\n";
constexpr TimeRule kBlackTime{.total_s = 600, .least_s = 1}, kWhiteTime{.total_s = 20, .increment_s = 5, .least_s = 1};

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// "Total_Time:" of each block, in order.
Lines totals(const Lines& lines) {
  Lines found;
  for (const std::string& line : lines) {
    if (line.starts_with("Total_Time:")) found.push_back(line.substr(11));
  }
  return found;
}

using UnevenClocks = RoomGame;

TEST(UnevenClock, EachSideIsChargedAndLateByItsOwnRule) {
  core::Clock clock({.total_s = 10, .byoyomi_s = 3, .least_s = 2}, {.total_s = 60, .stopwatch_s = 60});
  EXPECT_EQ(clock.charge_s(BLACK, 0), 2);
  EXPECT_EQ(clock.charge_s(WHITE, 59 * core::kSecond), 0);
  EXPECT_EQ(clock.flag_us(BLACK), 13 * core::kSecond);
  EXPECT_EQ(clock.flag_us(WHITE), 60 * core::kSecond);
  clock.spend(BLACK, 4);
  EXPECT_EQ(clock.remaining_s(BLACK), 6);
  EXPECT_EQ(clock.remaining_s(WHITE), 60);
  const core::Clock half({}, {.total_s = 5});
  EXPECT_EQ(half.flag_us(BLACK), core::Clock::kNever) << "Black's time is unlimited";
  EXPECT_EQ(half.flag_us(WHITE), 5 * core::kSecond);
}

TEST_F(UnevenClocks, AreToldByABlockForEachColour) {
  set_room(fmt::format("games=ruled-* {}", kUneven));
  both_come();
  for (const char* name : {"A", "B"}) {
    const std::string heard = text_of(server().heard(name));
    EXPECT_THAT(heard, HasSubstr(std::string(kBlocks) + "BEGIN Position\n")) << name;
    EXPECT_THAT(heard, Not(HasSubstr("BEGIN Time\n"))) << name;
  }
  EXPECT_EQ(opened().time, kBlackTime);
  EXPECT_EQ(opened().white_time, kWhiteTime);
}

TEST_F(UnevenClocks, EqualOnesAreOneBlockAsEver) {
  const std::string heard = text_of(begin("time-black=600-0 time-white=600-0"));
  EXPECT_FALSE(opened().white_time.has_value());
  EXPECT_THAT(heard, HasSubstr("BEGIN Time\nTime_Unit:1sec\nTotal_Time:600\n"));
  EXPECT_THAT(heard, Not(HasSubstr("Time+")));
}

TEST_F(UnevenClocks, WhatARoomDoesNotSayOfAColourIsAsItSaysOfBothOrAsTheNameSays) {
  begin("time-white=20-5F");
  EXPECT_EQ(opened().time, (TimeRule{.total_s = 60})) << "as the name says";
  EXPECT_EQ(opened().white_time, (TimeRule{.total_s = 20, .increment_s = 5}));
  const auto rules = core::read_room(Lines{"games=a-*", "time=900-0", "time-black=60-0"});
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->time_of(BLACK), (TimeRule{.total_s = 60}));
  EXPECT_EQ(rules->time_of(WHITE), (TimeRule{.total_s = 900}));
}

// Both blocks have what is left: a client is right about both clocks.
TEST_F(UnevenClocks, AfterAKillBothGoOnFromWhereTheyStood) {
  begin(kUneven);
  server().advance(30'000);  // White has not as much
  server().say("A", "+7776FU");
  EXPECT_THAT(server().heard("B"), Contains("+7776FU,T30"));
  server().advance(9'000);
  server().say("B", "-3334FU");
  host.kill();
  both_come();
  const Lines heard_a = server().heard("A"), heard_b = server().heard("B");
  EXPECT_EQ(totals(heard_a), (Lines{"570", "16"}));
  EXPECT_EQ(totals(heard_b), (Lines{"570", "16"}));
  EXPECT_THAT(heard_b, Contains("BEGIN Time-"));
  both_agree();
  server().say("A", "+2726FU");
  server().advance(20'999);
  EXPECT_THAT(host.facts<core::GameEnded>(), IsEmpty());
  server().advance(1);
  ASSERT_THAT(host.facts<core::GameEnded>(), SizeIs(1)) << "16 s and the increment";
  EXPECT_EQ(end()->kind, core::EndKind::time_up);
  EXPECT_EQ(end()->outcome, core::Outcome::black_wins);
}

TEST_F(UnevenClocks, WatchersSeeBoth) {
  begin(kUneven);
  server().advance(10'000);
  server().say("A", "+7776FU");
  server().login_x1("watcher");
  server().say("watcher", "%%SHOW " + opened().csa_id);
  const std::string heard = text_of(server().heard("watcher"));
  EXPECT_THAT(heard, HasSubstr("##[SHOW] Least_Time_Per_Move:1\n##[SHOW] Remaining_Time+:590\n##[SHOW] END Time+\n"
                               "##[SHOW] BEGIN Time-\n"));
  EXPECT_THAT(heard, HasSubstr("##[SHOW] Remaining_Time-:20\n##[SHOW] Last_Move:+7776FU,T10\n"
                               "##[SHOW] Current_Turn:1\n##[SHOW] END Time-\n"));
}

TEST_F(UnevenClocks, OfAnEventAreNamedAfterBlacks) {
  announce(
      "name\tcup\nformat\tround-robin\ntime-black\t600-0\ntime-white\t120-5F\nentrant[0].name\tann\nentrant[1]."
      "name\tbob\n");
  come({"ann", "bob"});
  start();
  advance_s(60);
  EXPECT_EQ(only_game().game_name, "cup-600-0");
  EXPECT_EQ(only_game().time, (TimeRule{.total_s = 600}));
  EXPECT_EQ(only_game().white_time, (TimeRule{.total_s = 120, .increment_s = 5}));
}

TEST(UnevenClock, StandInTheRecordInTheWordsOfCsaVersion3) {
  core::GameOpened opened{.csa_id = "x", .time = kBlackTime, .local_time = "2026/11/21 04:15:07"};
  opened.time.increment_s = 2;
  opened.white_time = TimeRule{.total_s = 20, .byoyomi_s = 3, .increment_s = 5};
  const std::string head = core::record_head(opened);
  EXPECT_THAT(head, HasSubstr("$START_TIME:2026/11/21 04:15:07\n$TIME+:600+0+2\n$TIME-:20+3+5\nP1"));
  EXPECT_THAT(head, Not(HasSubstr("'Increment"))) << "that would be of both";
  opened.white_time.reset();
  EXPECT_THAT(core::record_head(opened), Not(HasSubstr("$TIME")));
}

TEST(UnevenClock, AreKeptByTheArchive) {
  core::GameOpened opened{.time = kBlackTime};
  EXPECT_EQ(core::special_terms(opened), "");
  for (const TimeRule& white : {kWhiteTime, TimeRule{.total_s = 900, .byoyomi_s = 10, .least_s = 1},
                                TimeRule{.total_s = 900, .least_s = 1, .stopwatch_s = 60}, TimeRule{.least_s = 1}}) {
    opened.white_time = white;
    core::GameOpened back{.time = kBlackTime};
    core::take_special_terms(back, core::special_terms(opened));
    EXPECT_EQ(back.white_time, white) << core::special_terms(opened);
  }
  core::GameOpened odd{.time = kBlackTime};
  core::take_special_terms(odd, "newer=1 white-time=nonsense");
  EXPECT_FALSE(odd.white_time.has_value());
  core::take_special_terms(odd, "newer=1 white-time=20-5F");
  EXPECT_EQ(odd.white_time, kWhiteTime);
}

}  // namespace
}  // namespace fuhyo::test
