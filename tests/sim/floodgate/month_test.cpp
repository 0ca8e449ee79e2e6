// What `matching` promises, over days of rounds with players that come, go and fail; the whole month is a benchmark.
#include "tests/sim/floodgate/month.h"

#include <gtest/gtest.h>

#include "tests/support/sanitized.h"

namespace fuhyo::sim {
namespace {

using core::floodgate::Method;

constexpr int kDays = 4;  // with many players

TEST(FloodgateMonth, TheOracleKnowsWhatCanBePaired) {
  EXPECT_TRUE(can_be_paired_without({}, 4));
  EXPECT_TRUE(can_be_paired_without({{0, 1}}, 4));
  EXPECT_FALSE(can_be_paired_without({{0, 1}}, 2));
  EXPECT_FALSE(can_be_paired_without({{0, 1}, {0, 2}, {0, 3}}, 4));
  EXPECT_TRUE(can_be_paired_without({{0, 1}}, 3)) << "one of three sits out";
  EXPECT_FALSE(can_be_paired_without({{0, 1}, {0, 2}, {1, 2}}, 3));
}

TEST(FloodgateMonth, MatchingKeepsItsPromises) {
  for (const int players : {60, 9}) {
    if (test::kSanitized && players == 60) continue;
    for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 1 : 3); ++seed) {
      const int days = players == 60 ? kDays : 31;  // a few players draw their colours from few games
      const MonthCount count = run_month({Method::matching, days, players, seed});
      EXPECT_EQ(count.rounds, days * 48);
      EXPECT_EQ(count.late_rounds, 0);
      EXPECT_GT(count.games, 10 * players);
      EXPECT_GT(count.not_agreed, 0);
      EXPECT_GT(count.broken_off, 0);
      EXPECT_GT(count.made_good, 0);
      EXPECT_EQ(count.same_again_avoidable, 0) << players << " players, seed " << seed;
      EXPECT_EQ(count.within(2), 1) << players << " players, seed " << seed;
      EXPECT_GE(count.within(1), 0.95) << players << " players, seed " << seed;
    }
  }
}

TEST(FloodgateMonth, TheHourThatComesTwiceHasItsRoundsTwice) {
  const MonthCount count = run_month({Method::random_pairing, 12, 6, 1});
  EXPECT_EQ(count.rounds, 12 * 48);
  EXPECT_EQ(count.late_rounds, 0);
}

TEST(FloodgateMonth, LeastDifferenceIsWhatItIsComparedWith) {
  if (test::kSanitized) GTEST_SKIP() << "what it comes to is the same in every build";
  const MonthCount ours = run_month({Method::matching, kDays, 60, 1});
  const MonthCount theirs = run_month({Method::least_diff_pairing, kDays, 60, 1});
  EXPECT_LT(ours.mean_difference(), theirs.mean_difference());
  EXPECT_LE(ours.same_as_last, theirs.same_as_last);
  EXPECT_GT(ours.within(1), theirs.within(1));
}

}  // namespace
}  // namespace fuhyo::sim
