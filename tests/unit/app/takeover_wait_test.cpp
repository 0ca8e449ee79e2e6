// When a standby takes the place of a server that is gone.
#include "server/app/serve/takeover_wait.h"

#include <gtest/gtest.h>

namespace fuhyo::app {
namespace {

using namespace std::chrono_literals;

const std::expected<bool, std::string> kWritten = true, kFree = false, kAway = std::unexpected("away");

TEST(TakeoverWait, IsWhereNobodyWritesForAWhile) {
  TakeoverWait wait;
  const TakeoverWait::Time begin{100s};
  EXPECT_FALSE(wait.seen(kWritten, begin));
  EXPECT_FALSE(wait.seen(kFree, begin + 1s));
  EXPECT_FALSE(wait.seen(kFree, begin + 1s + TakeoverWait::kPatience - 1ms));
  EXPECT_TRUE(wait.seen(kFree, begin + 1s + TakeoverWait::kPatience));
  EXPECT_TRUE(wait.seen(kFree, begin + 10s));
}

TEST(TakeoverWait, BeginsAnewAfterEveryGap) {
  for (const auto& gap : {kWritten, kAway}) {
    TakeoverWait wait;
    const TakeoverWait::Time begin{100s};
    EXPECT_FALSE(wait.seen(kFree, begin));
    EXPECT_FALSE(wait.seen(gap, begin + 2s));
    EXPECT_FALSE(wait.seen(kFree, begin + 3s)) << "what was seen before the gap does not count";
    EXPECT_FALSE(wait.seen(kAway, begin + 10s)) << "nobody can tell";
    EXPECT_FALSE(wait.seen(kFree, begin + 11s));
    EXPECT_TRUE(wait.seen(kFree, begin + 11s + TakeoverWait::kPatience));
  }
}

}  // namespace
}  // namespace fuhyo::app
