// How often the log is told of the same: limits and what is left out.
#include "server/app/serve/quiet_log.h"

#include <gtest/gtest.h>

namespace fuhyo::app {
namespace {

using core::Instant;
using core::kSecond;

TEST(QuietLog, TellsOnceASecondAndHowManyItLeftOut) {
  QuietLog log;
  EXPECT_EQ(log.tell("aki", Instant{5}), 0u);
  EXPECT_EQ(log.tell("aki", Instant{6}), std::nullopt);
  EXPECT_EQ(log.tell("aki", Instant{4 + kSecond}), std::nullopt);
  EXPECT_EQ(log.tell("aki", Instant{5 + kSecond}), 2u) << "a second after the one that was told";
  EXPECT_EQ(log.tell("aki", Instant{6 + kSecond}), std::nullopt);
  EXPECT_EQ(log.tell("aki", Instant{9 * kSecond}), 1u);
}

TEST(QuietLog, NamesAreApart) {
  QuietLog log;
  EXPECT_EQ(log.tell("aki", Instant{0}), 0u);
  EXPECT_EQ(log.tell("bob", Instant{0}), 0u);
  EXPECT_EQ(log.tell("aki", Instant{1}), std::nullopt);
}

}  // namespace
}  // namespace fuhyo::app
