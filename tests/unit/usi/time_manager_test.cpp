#include "engines/usi/time_manager.h"

#include <gtest/gtest.h>
#include <vector>

namespace fuhyo::usi {
namespace {

using shogi::BLACK;
using shogi::WHITE;

GoLimits clock(std::int64_t main_ms, std::int64_t byoyomi_ms, std::int64_t increment_ms) {
  return {
      .time_ms = {main_ms, main_ms}, .inc_ms = {increment_ms, increment_ms}, .byoyomi_ms = byoyomi_ms, .timed = true};
}

struct Control {
  const char* name;
  std::int64_t main_s, byoyomi_s, increment_s;
};
const std::vector<Control> kControls = {
    {"10+1F", 10, 0, 1},    {"10+1", 10, 1, 0}, {"300+10F", 300, 0, 10}, {"900+5F", 900, 0, 5},
    {"600+10", 600, 10, 0}, {"0+30", 0, 30, 0}, {"900+0", 900, 0, 0},    {"1+1F", 1, 0, 1},
};

// A server in small: floors to whole seconds, adds the increment first, drops the flag when nothing remains.
class Server {
 public:
  explicit Server(const Control& control) : control_(control), main_s_(control.main_s) {}
  GoLimits limits() const { return clock(main_s_ * 1000, control_.byoyomi_s * 1000, control_.increment_s * 1000); }
  // False: the flag has fallen.
  bool spend(std::int64_t arrival_ms) {
    const std::int64_t t = arrival_ms / 1000;
    if (main_s_ - t + control_.byoyomi_s + control_.increment_s <= 0) return false;
    main_s_ = std::max<std::int64_t>(0, main_s_ + control_.increment_s - t);
    return true;
  }
  std::int64_t main_s() const { return main_s_; }

 private:
  Control control_;
  std::int64_t main_s_;
};

// However long every move takes within its plan, and with the network as slow as NetworkDelay2 says, no flag falls in a
// game of any length.
TEST(TimePlan, NeverLosesOnTime) {
  for (const Control& control : kControls) {
    for (const bool to_the_maximum : {false, true}) {
      Server server(control);
      const TimeOptions options;
      for (int ply = 0; ply < 400; ply += 2) {
        const TimePlan plan = TimePlan::make(server.limits(), BLACK, ply, options);
        ASSERT_TRUE(plan.limited());
        const std::int64_t think = to_the_maximum ? plan.maximum_ms() : plan.stop_at_ms(plan.optimum_ms());
        ASSERT_LE(think, plan.maximum_ms());
        const std::int64_t delay = std::min(options.network_delay2_ms, (think + 1) / 2) - 1;
        if (control.byoyomi_s == 0 && control.increment_s == 0 && server.main_s() <= 1) break;  // nothing left to save
        ASSERT_TRUE(server.spend(think + delay)) << control.name << " ply " << ply << " thought " << think;
      }
    }
  }
}

// The time is there to be used: at the end of a long game little of a large main time is left, and nothing is hoarded.
// (A few seconds of main time cannot be dealt out in whole seconds: they stay for the hard positions.)
TEST(TimePlan, UsesWhatItHas) {
  for (const Control& control : kControls) {
    Server server(control);
    for (int ply = 0; ply < 200; ply += 2) {
      const TimePlan plan = TimePlan::make(server.limits(), BLACK, ply, {});
      ASSERT_TRUE(server.spend(plan.stop_at_ms(plan.optimum_ms()) + 50));
    }
    EXPECT_LE(server.main_s(), control.main_s < 60 ? control.main_s : control.main_s / 2) << control.name;
  }
}

// Byoyomi is what a game is finished on, so only clocks without it must keep main time for the end.
TEST(TimePlan, LastsForALongGame) {
  for (const Control& control : kControls) {
    if (control.main_s < 300 || control.byoyomi_s > 0) continue;
    Server server(control);
    for (int ply = 0; ply < 120; ply += 2) {
      const TimePlan plan = TimePlan::make(server.limits(), BLACK, ply, {});
      ASSERT_TRUE(server.spend(plan.stop_at_ms(plan.optimum_ms()) + 50));
    }
    EXPECT_GE(server.main_s(), control.main_s / 8) << control.name;
  }
}

TEST(TimePlan, TakesTheRestOfTheSecondAlong) {
  const TimeOptions options{.minimum_thinking_ms = 1'000};
  const TimePlan plan = TimePlan::make(clock(300'000, 10'000, 0), BLACK, 0, options);
  EXPECT_EQ(plan.stop_at_ms(0), 880);      // the first second is free
  EXPECT_EQ(plan.stop_at_ms(880), 880);    // arrives at 1000: not yet a second
  EXPECT_EQ(plan.stop_at_ms(881), 1'880);  // would arrive in the second second
  EXPECT_EQ(plan.stop_at_ms(3'000), 3'880);
}

TEST(TimePlan, MillisecondClocksAreNotRounded) {
  const TimeOptions exact{
      .network_delay_ms = 10, .network_delay2_ms = 20, .minimum_thinking_ms = 0, .whole_seconds = false};
  const TimePlan plan = TimePlan::make(clock(0, 0, 100), BLACK, 0, exact);
  EXPECT_EQ(plan.maximum_ms(), 80);
  EXPECT_EQ(plan.stop_at_ms(33), 33);
}

TEST(TimePlan, ABudgetBelowTheDelayIsHalved) {
  const TimePlan plan = TimePlan::make(clock(0, 100, 0), BLACK, 0, {});
  EXPECT_EQ(plan.maximum_ms(), 50);
  EXPECT_EQ(plan.stop_at_ms(0), 50);
  EXPECT_GE(TimePlan::make(clock(0, 0, 0), BLACK, 0, {}).maximum_ms(), 1);
}

TEST(TimePlan, ByoyomiIsUsedUpOnceTheMainTimeIsGone) {
  const TimePlan plan = TimePlan::make(clock(0, 10'000, 0), BLACK, 80, {});
  EXPECT_EQ(plan.optimum_ms(), 8'880);
  EXPECT_EQ(plan.stop_at_ms(8'500), 8'880);
}

TEST(TimePlan, MovetimeIsAnOrder) {
  GoLimits limits = clock(1, 1, 1);
  limits.movetime_ms = 1'234;
  const TimePlan plan = TimePlan::make(limits, BLACK, 0, {});
  EXPECT_EQ(plan.maximum_ms(), 1'234);
  EXPECT_EQ(plan.stop_at_ms(10), 1'234);
}

TEST(TimePlan, WithoutTimesThereIsNoLimit) {
  EXPECT_FALSE(TimePlan::make({.depth = 5}, BLACK, 0, {}).limited());
  GoLimits infinite = clock(1000, 0, 0);
  infinite.infinite = true;
  EXPECT_FALSE(TimePlan::make(infinite, BLACK, 0, {}).limited());
}

TEST(TimePlan, EachSideHasItsOwnClock) {
  GoLimits limits{.time_ms = {600'000, 1'000}, .timed = true};
  EXPECT_GT(TimePlan::make(limits, BLACK, 0, {}).optimum_ms(), TimePlan::make(limits, WHITE, 0, {}).maximum_ms());
}

TEST(TimePlan, MovesBeforeTheMoveLimitGetMore) {
  TimeOptions options;
  const GoLimits limits = clock(60'000, 0, 0);
  const std::int64_t without = TimePlan::make(limits, BLACK, 250, options).optimum_ms();
  options.max_moves = 256;
  EXPECT_GT(TimePlan::make(limits, BLACK, 250, options).optimum_ms(), 3 * without);
  EXPECT_GE(TimePlan::make(limits, BLACK, 300, options).optimum_ms(), 1);  // beyond the limit all the same
}

TEST(TimeOptions, GoThroughTheOptionTable) {
  OptionTable table;
  add_time_options(table);
  EXPECT_EQ(time_options(table), TimeOptions{});
  ASSERT_TRUE(table.set("NetworkDelay2", "1120"));
  ASSERT_TRUE(table.set("RoundUpToFullSecond", "false"));
  EXPECT_EQ(time_options(table).network_delay2_ms, 1120);
  EXPECT_FALSE(time_options(table).whole_seconds);
}

}  // namespace
}  // namespace fuhyo::usi
