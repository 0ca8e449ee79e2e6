// Deadlines against a list that is searched from end to end.
#include "server/core/timers.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace fuhyo::core {
namespace {

constexpr TimerKey flag_of(std::uint64_t game) { return {TimerKey::Kind::flag, game}; }

TEST(Timers, SoonestFirstAsTheyStandNow) {
  std::mt19937 random(1);
  const auto draw = [&random](std::int64_t below) { return static_cast<std::int64_t>(random()) % below; };
  Timers timers;
  std::map<TimerKey, Instant> naive;
  const auto soonest = [&] {
    return std::ranges::min_element(naive, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
  };
  for (int i = 0; i < 20'000; ++i) {
    const TimerKey key = flag_of(random() % 30);
    const Instant when{draw(100)};
    if (draw(3) == 0) {
      timers.cancel(key);
      naive.erase(key);
    } else {
      timers.set(key, when);
      naive.insert_or_assign(key, when);
    }
    EXPECT_EQ(timers.when(key), naive.contains(key) ? std::optional(naive.at(key)) : std::nullopt);
    ASSERT_EQ(timers.soonest(), naive.empty() ? std::nullopt : std::optional(soonest()->second));
    const Instant now{draw(20)};
    const auto due = timers.due(now);
    ASSERT_EQ(due.has_value(), !naive.empty() && soonest()->second <= now);
    if (!due) continue;
    EXPECT_EQ(*due, soonest()->first);
    naive.erase(*due);
  }
}

TEST(Timers, StandsStillButForOneKind) {
  Timers timers;
  timers.set(flag_of(1), {10});
  timers.set({TimerKey::Kind::round, 1}, {20});
  timers.postpone(100, TimerKey::Kind::round);
  EXPECT_EQ(timers.due({109}), (TimerKey{TimerKey::Kind::round, 1}));
  EXPECT_EQ(timers.due({109}), std::nullopt);
  EXPECT_EQ(timers.due({110}), flag_of(1));
}

}  // namespace
}  // namespace fuhyo::core
