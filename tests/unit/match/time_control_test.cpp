#include "engines/match/time_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

TEST(TimeControl, IsReadAndWritten) {
  EXPECT_EQ(parse_time_control("time=2000,inc=100"), (TimeControl{.time_ms = 2000, .inc_ms = 100}));
  EXPECT_EQ(parse_time_control("byoyomi=500"), (TimeControl{.byoyomi_ms = 500}));
  EXPECT_EQ(parse_time_control("depth=6,nodes=5000"), (TimeControl{.nodes = 5000, .depth = 6}));
  EXPECT_EQ(parse_time_control("movetime=100"), (TimeControl{.movetime_ms = 100}));
  EXPECT_EQ(parse_time_control("time=60000,byoyomi=0,nodes=9"),
            (TimeControl{.time_ms = 60'000, .byoyomi_ms = 0, .nodes = 9}));
  for (const char* text : {"time=2000,inc=100", "time=60000,byoyomi=1000", "movetime=100", "nodes=5000,depth=6"}) {
    EXPECT_EQ(to_text(*parse_time_control(text)), text);
  }
}

TEST(TimeControl, IsReadAsSecondsToo) {
  EXPECT_EQ(parse_time_control("2+0.1"), (TimeControl{.time_ms = 2000, .inc_ms = 100}));
  EXPECT_EQ(parse_time_control("60"), (TimeControl{.time_ms = 60'000}));
  EXPECT_EQ(parse_time_control("0.0105+0"), (TimeControl{.time_ms = 11, .inc_ms = 0}));
}

TEST(TimeControl, OfNonsenseIsRefusedByName) {
  const auto why = [](const char* text) {
    const auto control = parse_time_control(text);
    return control ? "read: " + to_text(*control) : control.error();
  };
  EXPECT_THAT(why(""), HasSubstr("'' is no time control"));
  EXPECT_THAT(why("fast"), HasSubstr("'fast'"));
  EXPECT_THAT(why("time=1,time=2"), HasSubstr("'time' is given twice"));
  EXPECT_THAT(why("nodes=0"), HasSubstr("nodes=0"));
  EXPECT_THAT(why("nodes=-5"), HasSubstr("nodes=-5"));
  EXPECT_THAT(why("nodes=1e6"), HasSubstr("nodes=1e6"));
  EXPECT_THAT(why("depth=5000000000"), HasSubstr("too much"));
  EXPECT_THAT(why("time=1000,inc=1,byoyomi=1"), HasSubstr("exclude each other"));
  EXPECT_THAT(why("time=1000,movetime=10"), HasSubstr("exclude each other"));
  EXPECT_THAT(why("time=0"), HasSubstr("without any time"));
  EXPECT_THAT(why("2+"), HasSubstr("'2+'"));
  EXPECT_THAT(why("-1"), HasSubstr("'-1'"));
  EXPECT_THAT(why("time=1000,"), HasSubstr("''"));
}

TEST(Clock, AddsTheIncrementBeforeTheMove) {
  Clock clock({.time_ms = 1000, .inc_ms = 100});
  EXPECT_EQ(clock.budget_us(), 1'100'000);
  EXPECT_EQ(clock.spend(300'400), -799'600);
  EXPECT_EQ(clock.left_ms(), 799) << "rounded down";
  EXPECT_EQ(clock.spend(899'700), 100) << "a tenth of a millisecond over";
  EXPECT_EQ(clock.left_ms(), 0);
  EXPECT_EQ(clock.budget_us(), 100'000);
}

TEST(Clock, GivesByoyomiAnewForEachMove) {
  Clock clock({.time_ms = 1000, .byoyomi_ms = 500});
  EXPECT_EQ(clock.spend(1'200'000), -300'000);
  EXPECT_EQ(clock.left_ms(), 0);
  EXPECT_EQ(clock.budget_us(), 500'000);
  EXPECT_EQ(clock.spend(400'000), -100'000);
  EXPECT_EQ(clock.budget_us(), 500'000);
}

TEST(Clock, OfNodesDoesNotRun) {
  Clock clock({.nodes = 5000});
  EXPECT_EQ(clock.budget_us(), std::nullopt);
  EXPECT_EQ(clock.spend(1'000'000'000), std::nullopt);
  EXPECT_EQ(Clock({.movetime_ms = 100}).budget_us(), 100'000);
}

TEST(GoLimits, TellBothClocksAndOnlyOnesOwnLimits) {
  const std::array<TimeControl, 2> controls = {TimeControl{.time_ms = 1000, .inc_ms = 10, .nodes = 7},
                                               TimeControl{.time_ms = 2000, .inc_ms = 20}};
  const std::array<Clock, 2> clocks = {Clock(controls[0]), Clock(controls[1])};
  EXPECT_EQ(to_text(go_limits(controls, clocks, shogi::BLACK)), "go btime 1000 wtime 2000 binc 10 winc 20 nodes 7");
  EXPECT_EQ(to_text(go_limits(controls, clocks, shogi::WHITE)), "go btime 1000 wtime 2000 binc 10 winc 20");
  const std::array<TimeControl, 2> nodes = {TimeControl{.nodes = 5}, TimeControl{.depth = 3}};
  const std::array<Clock, 2> none = {Clock(nodes[0]), Clock(nodes[1])};
  EXPECT_EQ(to_text(go_limits(nodes, none, shogi::BLACK)), "go nodes 5");
  EXPECT_EQ(to_text(go_limits(nodes, none, shogi::WHITE)), "go depth 3");
}

}  // namespace
}  // namespace fuhyo::match
