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

constexpr std::string_view kUneven =
    "games=uneven-* time-black=600-0 time-white=20-5F least-time-per-move=1 resume=position";
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

class UnevenClocks : public EventTest {
 protected:
  void come(const std::string& name, char colour) {
    server().log_in(name, fmt::format("{} uneven-60-0-{},t{}", name, colour, name));
  }
  void begin(std::string_view room = kUneven) {
    const auto done = server().admin(fmt::format("set-room uneven {}", room));
    ASSERT_TRUE(done.ok) << done.text;
    come("A", 'B');
    come("B", 'W');
  }
  void start() {
    begin();
    host.agree(game());
    for (const char* name : {"A", "B"}) server().heard(name);
  }
  core::GameOpened game() const { return host.facts<core::GameOpened>().back(); }
};

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
  begin();
  for (const char* name : {"A", "B"}) {
    const std::string heard = text_of(server().heard(name));
    EXPECT_THAT(heard, HasSubstr(std::string(kBlocks) + "BEGIN Position\n")) << name;
    EXPECT_THAT(heard, Not(HasSubstr("BEGIN Time\n"))) << name;
  }
  EXPECT_EQ(game().time, kBlackTime);
  EXPECT_EQ(game().white_time, kWhiteTime);
}

TEST_F(UnevenClocks, EqualOnesAreOneBlockAsEver) {
  begin("games=uneven-* time-black=600-0 time-white=600-0");
  EXPECT_FALSE(game().white_time.has_value());
  const std::string heard = text_of(server().heard("A"));
  EXPECT_THAT(heard, HasSubstr("BEGIN Time\nTime_Unit:1sec\nTotal_Time:600\n"));
  EXPECT_THAT(heard, Not(HasSubstr("Time+")));
}

TEST_F(UnevenClocks, WhatARoomDoesNotSayOfAColourIsAsItSaysOfBothOrAsTheNameSays) {
  begin("games=uneven-* time-white=20-5F");
  EXPECT_EQ(game().time, (TimeRule{.total_s = 60})) << "as the name says";
  EXPECT_EQ(game().white_time, (TimeRule{.total_s = 20, .increment_s = 5}));
  const auto rules = core::read_room(Lines{"games=a-*", "time=900-0", "time-black=60-0"});
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->time_of(BLACK), (TimeRule{.total_s = 60}));
  EXPECT_EQ(rules->time_of(WHITE), (TimeRule{.total_s = 900}));
}

TEST_F(UnevenClocks, AFlagFallsByTheRuleOfItsSide) {
  start();
  server().advance(100'000);  // Black may
  server().say("A", "+7776FU");
  EXPECT_THAT(server().heard("B"), Contains("+7776FU,T100"));
  server().advance(24'999);
  EXPECT_THAT(host.facts<core::GameEnded>(), IsEmpty());
  server().advance(1);
  ASSERT_THAT(host.facts<core::GameEnded>(), SizeIs(1));
  EXPECT_EQ(host.facts<core::GameEnded>()[0].kind, core::EndKind::time_up);
  EXPECT_EQ(host.facts<core::GameEnded>()[0].outcome, core::Outcome::black_wins);
}

TEST_F(UnevenClocks, TheIncrementIsOfTheSideThatHasOne) {
  start();
  server().advance(10'000);
  server().say("A", "+7776FU");
  server().advance(4'000);
  server().say("B", "-3334FU");
  const auto moves = host.facts<core::MoveMade>();
  ASSERT_THAT(moves, SizeIs(2));
  EXPECT_EQ(moves[0].remaining_s, 590);
  EXPECT_EQ(moves[1].remaining_s, 21);
}

// Both blocks have what is left: a client is right about both clocks.
TEST_F(UnevenClocks, AfterAKillBothGoOnFromWhereTheyStood) {
  start();
  server().advance(30'000);
  server().say("A", "+7776FU");
  server().advance(9'000);
  server().say("B", "-3334FU");
  host.kill();
  come("A", 'B');
  come("B", 'W');
  const Lines heard_a = server().heard("A"), heard_b = server().heard("B");
  EXPECT_EQ(totals(heard_a), (Lines{"570", "16"}));
  EXPECT_EQ(totals(heard_b), (Lines{"570", "16"}));
  EXPECT_THAT(heard_b, Contains("BEGIN Time-"));
  host.agree(game());
  server().say("A", "+2726FU");
  server().advance(20'999);
  EXPECT_THAT(host.facts<core::GameEnded>(), IsEmpty());
  server().advance(1);
  ASSERT_THAT(host.facts<core::GameEnded>(), SizeIs(1)) << "16 s and the increment";
  EXPECT_EQ(host.facts<core::GameEnded>()[0].kind, core::EndKind::time_up);
}

TEST_F(UnevenClocks, WatchersSeeBoth) {
  start();
  server().advance(10'000);
  server().say("A", "+7776FU");
  server().login_x1("watcher");
  server().say("watcher", "%%SHOW " + game().csa_id);
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
  EventTest::come({"ann", "bob"});
  EventTest::start();
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
