// Whole games against the clock, in no time: what each move takes is drawn by chance within its plan, or is the most of
// it, and the line to the server is as slow as it is said to be.
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "engines/usi/time_manager.h"
#include "tests/support/case_names.h"

namespace fuhyo::usi {
namespace {

using shogi::BLACK;

struct Control {
  const char* name;
  std::int64_t main_ms, byoyomi_ms, increment_ms;
  TimeOptions options;
  std::int64_t latency_ms;           // at worst, of a move; up to it the engine must not lose
  std::array<int, 3> least_percent;  // of the main time, used by move 80, 120, 160
  std::array<int, 3> most_percent;
};

constexpr TimeOptions exact(std::int64_t delay_ms) {
  return {
      .network_delay_ms = delay_ms, .network_delay2_ms = delay_ms, .minimum_thinking_ms = 1, .whole_seconds = false};
}

const std::vector<Control> kControls = {
    {"2 s + 0.1 s", 2'000, 0, 100, exact(10), 9, {35, 55, 65}, {80, 95, 100}},
    {"2 s + 0.1 s, delays of a network", 2'000, 0, 100, {.whole_seconds = false}, 45, {0, 0, 0}, {100, 100, 100}},
    {"0.1 s a move", 0, 0, 100, exact(20), 19, {0, 0, 0}, {0, 0, 0}},
    {"byoyomi 10 s", 0, 10'000, 0, {}, 1'100, {0, 0, 0}, {0, 0, 0}},
    {"byoyomi 1 s", 0, 1'000, 0, {}, 490, {0, 0, 0}, {0, 0, 0}},
    {"sudden death, 1 minute", 60'000, 0, 0, exact(20), 19, {30, 45, 55}, {70, 85, 95}},
    {"sudden death, 1 minute, no rounding", 60'000, 0, 0, {.whole_seconds = false}, 2, {30, 45, 55}, {90, 100, 100}},
    {"sudden death, 15 minutes", 900'000, 0, 0, {}, 900, {30, 45, 55}, {75, 90, 97}},
    {"5 minutes + 10 s", 300'000, 0, 10'000, {}, 1'100, {35, 55, 65}, {80, 95, 100}},
    {"15 minutes + 5 s", 900'000, 0, 5'000, {}, 1'100, {0, 0, 0}, {80, 95, 100}},
    {"10 s + 1 s", 10'000, 0, 1'000, {}, 490, {0, 0, 0}, {100, 100, 100}},
    {"1 s + 1 s", 1'000, 0, 1'000, {}, 490, {-100, -100, -100}, {100, 100, 100}},
    {"10 s and byoyomi 1 s", 10'000, 1'000, 0, {}, 490, {0, 0, 0}, {100, 100, 100}},
    {"10 minutes and byoyomi 10 s", 600'000, 10'000, 0, {}, 1'100, {35, 55, 65}, {97, 100, 100}},
};

class Clock {
 public:
  explicit Clock(const Control& control) : control_(control), main_ms_(control.main_ms) {}
  GoLimits limits() const {
    return {.time_ms = {main_ms_, main_ms_},
            .inc_ms = {control_.increment_ms, control_.increment_ms},
            .byoyomi_ms = control_.byoyomi_ms,
            .timed = true};
  }
  // False: the flag has fallen.
  bool spend(std::int64_t arrival_ms) {
    const std::int64_t charged = control_.options.whole_seconds ? arrival_ms / 1'000 * 1'000 : arrival_ms;
    const std::int64_t left = main_ms_ + control_.increment_ms - charged;
    if (left + control_.byoyomi_ms <= 0) return false;
    main_ms_ = std::max<std::int64_t>(left, 0);
    return true;
  }
  std::int64_t main_ms() const { return main_ms_; }

 private:
  const Control& control_;
  std::int64_t main_ms_;
};

// A move as a search makes it: it has enough after some part of the optimum, and stops when the plan says so.
std::int64_t think(const TimePlan& plan, std::mt19937_64& random) {
  std::lognormal_distribution<double> difficulty(-0.25, 0.6);
  const auto enough = static_cast<std::int64_t>(static_cast<double>(plan.optimum_ms()) * difficulty(random));
  return std::min(plan.stop_at_ms(std::min(enough, plan.maximum_ms())), plan.maximum_ms());
}

void PrintTo(const Control& control, std::ostream* out) { *out << control.name; }

class Simulation : public ::testing::TestWithParam<Control> {};

TEST_P(Simulation, NoFlagFallsAndTheTimeIsUsed) {
  const Control& control = GetParam();
  constexpr int kGames = 100, kPlies = 320;
  std::mt19937_64 random(1);
  std::array<double, 3> used{};
  for (int game = 0; game < kGames; ++game) {
    Clock clock(control);
    std::uniform_int_distribution<std::int64_t> latency(0, control.latency_ms);
    for (int ply = 0; ply < kPlies; ply += 2) {
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (ply != 80 + 40 * static_cast<int>(i) || control.main_ms == 0) continue;
        used[i] += 100 - 100 * static_cast<double>(clock.main_ms()) / static_cast<double>(control.main_ms);
      }
      const TimePlan plan = TimePlan::make(clock.limits(), BLACK, ply, control.options);
      const std::int64_t thought = think(plan, random);
      ASSERT_LE(thought, plan.maximum_ms());
      ASSERT_TRUE(clock.spend(thought + latency(random)))
          << "move " << ply << " of game " << game << ": thought " << thought << " of " << clock.main_ms();
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    const double percent = used[i] / kGames;
    RecordProperty("used by move " + std::to_string(80 + 40 * i), std::to_string(percent));
    EXPECT_GE(percent, control.least_percent[i]) << "by move " << 80 + 40 * i;
    EXPECT_LE(percent, control.most_percent[i]) << "by move " << 80 + 40 * i;
  }
}

// The slowest line and the longest thoughts, as long as there is anything left to save.
TEST_P(Simulation, NoFlagFallsHoweverLongEveryMoveTakesWithinItsPlan) {
  const Control& control = GetParam();
  for (const bool to_the_maximum : {false, true}) {
    Clock clock(control);
    for (int ply = 0; ply < 400; ply += 2) {
      const TimePlan plan = TimePlan::make(clock.limits(), BLACK, ply, control.options);
      ASSERT_TRUE(plan.limited());
      const std::int64_t thought = to_the_maximum ? plan.maximum_ms() : plan.stop_at_ms(plan.optimum_ms());
      ASSERT_LE(thought, plan.maximum_ms());
      if (control.byoyomi_ms + control.increment_ms == 0 && clock.main_ms() <= 1'000) break;
      ASSERT_TRUE(clock.spend(thought + control.latency_ms)) << "move " << ply << ": thought " << thought;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Clocks, Simulation, ::testing::ValuesIn(kControls), test::NameOfCase());

TEST(TimePlanOfShortClocks, TheMinimumIsOneThatTheClockCanPay) {
  const GoLimits limits{.time_ms = {60'000, 60'000}, .timed = true};
  const TimeOptions options{.whole_seconds = false};
  EXPECT_LT(TimePlan::make(limits, BLACK, 0, options).stop_at_ms(0), 1'000) << "not the 2 s of MinimumThinkingTime";
  const GoLimits byoyomi{.byoyomi_ms = 10'000, .timed = true};
  EXPECT_GE(TimePlan::make(byoyomi, BLACK, 0, options).stop_at_ms(0), 2'000);
}

TEST(TimePlanOfShortClocks, PonderingSpendsAQuarterMore) {
  const GoLimits limits{.time_ms = {600'000, 600'000}, .timed = true};
  const auto without = TimePlan::make(limits, BLACK, 0, {}).optimum_ms();
  EXPECT_EQ(TimePlan::make(limits, BLACK, 0, {.ponder = true}).optimum_ms(), without * 125 / 100);
}

}  // namespace
}  // namespace fuhyo::usi
