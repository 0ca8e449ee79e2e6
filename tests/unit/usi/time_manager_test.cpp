#include "engines/usi/time_manager.h"

#include <gtest/gtest.h>

namespace fuhyo::usi {
namespace {

using shogi::BLACK;
using shogi::WHITE;

GoLimits clock(std::int64_t main_ms, std::int64_t byoyomi_ms, std::int64_t increment_ms) {
  return {
      .time_ms = {main_ms, main_ms}, .inc_ms = {increment_ms, increment_ms}, .byoyomi_ms = byoyomi_ms, .timed = true};
}

struct Planned {
  const char* name;
  GoLimits limits;
  int ply;
  TimeOptions options;
  std::optional<std::int64_t> optimum_ms, maximum_ms;
  std::vector<std::pair<std::int64_t, std::int64_t>> stops{};  // enough at, stops at
};

TEST(TimePlan, StopsWhereItShall) {
  GoLimits ordered = clock(1, 1, 1);
  ordered.movetime_ms = 1'234;
  const TimeOptions exact{
      .network_delay_ms = 10, .network_delay2_ms = 20, .minimum_thinking_ms = 0, .whole_seconds = false};
  const Planned plans[] = {
      // The first second is free; what arrives at 1000 is not yet a second, and at 1001 it is in the second one.
      {"takes the rest of the second along",
       clock(300'000, 10'000, 0),
       0,
       {.minimum_thinking_ms = 1'000},
       {},
       {},
       {{0, 880}, {880, 880}, {881, 1'880}, {3'000, 3'880}}},
      {"clocks of milliseconds are not rounded", clock(0, 0, 100), 0, exact, {}, 80, {{33, 33}}},
      {"a budget below the delay is halved", clock(0, 100, 0), 0, {}, {}, 50, {{0, 50}}},
      {"byoyomi is used up once the main time is gone", clock(0, 10'000, 0), 80, {}, 8'880, {}, {{8'500, 8'880}}},
      {"movetime is an order", ordered, 0, {}, {}, 1'234, {{10, 1'234}}},
  };
  for (const Planned& each : plans) {
    SCOPED_TRACE(each.name);
    const TimePlan plan = TimePlan::make(each.limits, BLACK, each.ply, each.options);
    if (each.optimum_ms) EXPECT_EQ(plan.optimum_ms(), each.optimum_ms);
    if (each.maximum_ms) EXPECT_EQ(plan.maximum_ms(), each.maximum_ms);
    for (const auto& [enough, stop] : each.stops) EXPECT_EQ(plan.stop_at_ms(enough), stop) << enough;
  }
  EXPECT_GE(TimePlan::make(clock(0, 0, 0), BLACK, 0, {}).maximum_ms(), 1);
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

TEST(TimePlan, GivesMatesAShareThatIsLargerWhereTimeIsShort) {
  const auto share = [](std::int64_t ms) {
    return TimePlan::make({.movetime_ms = ms}, shogi::BLACK, 0, {}).for_mates_ms(64);
  };
  EXPECT_EQ(share(10), 0);
  EXPECT_EQ(share(1'000), 30);
  EXPECT_EQ(share(2'000), 40);
  EXPECT_EQ(share(64'000), 1'000);
}

}  // namespace
}  // namespace fuhyo::usi
