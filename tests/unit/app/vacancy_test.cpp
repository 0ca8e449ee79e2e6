// When a standby takes the place of a server that is gone.
#include "server/app/serve/vacancy.h"

#include <gtest/gtest.h>

namespace fuhyo::app {
namespace {

using namespace std::chrono_literals;

const std::expected<bool, std::string> kWritten = true, kFree = false, kAway = std::unexpected("away");

TEST(Vacancy, IsWhereNobodyWritesForAWhile) {
  Vacancy vacancy;
  const Vacancy::Time begin{100s};
  EXPECT_FALSE(vacancy.seen(kWritten, begin));
  EXPECT_FALSE(vacancy.seen(kFree, begin + 1s));
  EXPECT_FALSE(vacancy.seen(kFree, begin + 1s + Vacancy::kPatience - 1ms));
  EXPECT_TRUE(vacancy.seen(kFree, begin + 1s + Vacancy::kPatience));
  EXPECT_TRUE(vacancy.seen(kFree, begin + 10s));
}

TEST(Vacancy, BeginsAnewAfterEveryGap) {
  for (const auto& gap : {kWritten, kAway}) {
    Vacancy vacancy;
    const Vacancy::Time begin{100s};
    EXPECT_FALSE(vacancy.seen(kFree, begin));
    EXPECT_FALSE(vacancy.seen(gap, begin + 2s));
    EXPECT_FALSE(vacancy.seen(kFree, begin + 3s)) << "what was seen before the gap does not count";
    EXPECT_FALSE(vacancy.seen(kAway, begin + 10s)) << "nobody can tell";
    EXPECT_FALSE(vacancy.seen(kFree, begin + 11s));
    EXPECT_TRUE(vacancy.seen(kFree, begin + 11s + Vacancy::kPatience));
  }
}

}  // namespace
}  // namespace fuhyo::app
