// Figures of how long engines thought.
#include "server/host/thinking_times.h"

#include <gtest/gtest.h>

namespace fuhyo::host {
namespace {

TEST(ThinkingTimes, TellsTheMiddleAndTheSlowest) {
  ThinkingTimes times;
  for (int i = 1; i <= 200; ++i)
    times.add({.waited_ms = i == 7 ? 3 : 0, .thought_ms = i, .charged_ms = i / 100 * 1000});
  const auto summary = times.summary();
  EXPECT_EQ(summary.moves, 200u);
  EXPECT_EQ(summary.thought_p50_ms, 100);
  EXPECT_EQ(summary.thought_p99_ms, 198);
  EXPECT_EQ(summary.charged_p50_ms, 1000);
  EXPECT_EQ(summary.charged_p99_ms, 1000);
  EXPECT_EQ(summary.waited_most_ms, 3);
  EXPECT_EQ(to_text(summary),
            "200 moves, thought 100 ms (p99 198 ms), charged 1000 ms (p99 1000 ms), waited at most 3 ms");
}

TEST(ThinkingTimes, TheOldestAreForgottenAndMovesWithoutTAreNotCountedAsCharged) {
  ThinkingTimes times;
  EXPECT_EQ(times.summary().moves, 0u);
  EXPECT_EQ(times.summary().thought_p99_ms, 0);
  times.add({.waited_ms = 0, .thought_ms = 1'000'000, .charged_ms = 0});
  for (std::size_t i = 0; i < ThinkingTimes::kKept; ++i) times.add({.waited_ms = 0, .thought_ms = 5, .charged_ms = -1});
  EXPECT_EQ(times.summary().moves, ThinkingTimes::kKept + 1);
  EXPECT_EQ(times.summary().thought_p99_ms, 5);
  times.add({.waited_ms = 0, .thought_ms = 10, .charged_ms = 2000});
  EXPECT_EQ(times.summary().charged_p50_ms, 2000);
}

}  // namespace
}  // namespace fuhyo::host
