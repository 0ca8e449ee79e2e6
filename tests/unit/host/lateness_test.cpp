// The reserve before a flag, by how late the machine was seen to be.
#include "server/host/lateness.h"

#include <gtest/gtest.h>

namespace fuhyo::host {
namespace {

constexpr std::int64_t kNow = 1'000'000, kWorse = Lateness::kUsual_ms + 1;

TEST(Lateness, AMachineThatIsNoLaterThanUsualNeedsNoReserve) {
  Lateness lateness;
  EXPECT_EQ(lateness.reserve_ms(kNow), 0);
  lateness.note(-5, kNow);
  lateness.note(Lateness::kUsual_ms, kNow);
  EXPECT_EQ(lateness.reserve_ms(kNow), 0);
  lateness.note(kWorse, kNow);
  EXPECT_EQ(lateness.reserve_ms(kNow), Lateness::kReserveOfWorst * kWorse);
}

TEST(Lateness, IsForgottenByHalves) {
  Lateness lateness;
  lateness.note(400, kNow);
  EXPECT_EQ(lateness.reserve_ms(kNow + Lateness::kHalfLife_ms - 1), Lateness::kReserveOfWorst * 400);
  EXPECT_EQ(lateness.reserve_ms(kNow + Lateness::kHalfLife_ms), Lateness::kReserveOfWorst * 200);
  lateness.note(150, kNow + 2 * Lateness::kHalfLife_ms);  // worse than what is left of the 400
  EXPECT_EQ(lateness.reserve_ms(kNow + 2 * Lateness::kHalfLife_ms), Lateness::kReserveOfWorst * 150);
  EXPECT_EQ(lateness.reserve_ms(kNow + 1'000 * Lateness::kHalfLife_ms), 0);
}

TEST(Lateness, TheWorstCountsButNotAllOfALongPause) {
  Lateness lateness;
  for (const int late : {100, 300, 200, 0}) lateness.note(late, kNow);
  EXPECT_EQ(lateness.reserve_ms(kNow), Lateness::kReserveOfWorst * 300);
  for (const std::int64_t late : {std::int64_t{Lateness::kMost_ms}, std::int64_t{60'000}}) {
    lateness.note(late, kNow);
    EXPECT_EQ(lateness.reserve_ms(kNow), Lateness::kReserveOfWorst * Lateness::kMost_ms);
  }
}

}  // namespace
}  // namespace fuhyo::host
