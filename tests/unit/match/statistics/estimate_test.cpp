// Estimates of a match against fishtest's and fastchess's numbers, and where the results do not vary.
#include "engines/match/statistics/estimate.h"

#include <cmath>

#include "engines/match/statistics/elo.h"
#include "tests/unit/match/statistics/golden_lines.h"

namespace fuhyo::match {
namespace {

// A match of fastchess's own tests (github.com/Disservin/fastchess, commit 74deac2, app/tests/elo_test.cpp).
void expect_published(const Estimate& got, double normalised, double normalised_error, double superiority_percent,
                      double score) {
  EXPECT_NEAR(*got.normalised_elo.value, normalised, 0.005);
  EXPECT_NEAR(*got.normalised_elo.error(), normalised_error, 0.005);
  EXPECT_NEAR(got.superiority * 100, superiority_percent, 0.005);
  EXPECT_NEAR(*got.score.value, score, 0.001);
}

TEST(Estimate, OfGamesIsFastchesss) {
  expect_published(estimate(GameCounts{.losses = 89, .draws = 123, .wins = 76}), -20.76, 40.13, 15.53, 0.477);
  const Estimate second = estimate(GameCounts{.losses = 96, .draws = 111, .wins = 136});
  expect_published(second, 49.77, 36.77, 99.60, 0.558);
  EXPECT_NEAR(second.draws, 111.0 / 343, 1e-12);
  EXPECT_FALSE(second.pairs_ratio);
  expect_published(estimate(GameCounts{.losses = 356, .draws = 0, .wins = 34}), -508.44, 34.48, 0, 0.087);
}

TEST(Estimate, OfPairsIsFastchesss) {
  const Estimate first = estimate(PairCounts{{34, 54, 63, 64, 75}});
  expect_published(first, 57.94, 28.28, 100.00, 0.579);
  EXPECT_NEAR(first.draws, 63.0 / 290, 1e-12);
  EXPECT_NEAR(*first.pairs_ratio, 139.0 / 88, 1e-12);
  expect_published(estimate(PairCounts{{332, 433, 498, 333, 334}}), -9.17, 10.96, 5.05, 0.488);
}

TEST(Estimate, IsFishtestsToSixDigits) {
  const auto lines = golden_lines("elo.txt");
  EXPECT_EQ(lines.size(), 24u);
  for (const GoldenLine& line : lines) {
    const auto count = [&](std::size_t cell) { return std::stoll(line.words[cell]); };
    const Estimate got = line.words.size() == 3
                             ? estimate(GameCounts{.losses = count(0), .draws = count(1), .wins = count(2)})
                             : estimate(PairCounts{{count(0), count(1), count(2), count(3), count(4)}});
    EXPECT_NEAR(*got.elo.value, line.numbers[0], 1e-6) << line.text;
    EXPECT_NEAR(*got.elo.error(), line.numbers[1], 1e-6) << line.text;
    EXPECT_NEAR(got.superiority, line.numbers[2], 1e-9) << line.text;
  }
}

// As another runner of matches, written independently of this one, printed them.
TEST(Estimate, IsAnotherRunnersReport) {
  const auto expect = [](const PairCounts& pairs, double elo, double low, double high, double superiority_percent) {
    const Estimate got = estimate(pairs);
    EXPECT_NEAR(*got.elo.value, elo, 0.05);
    EXPECT_NEAR(*got.elo.low, low, 0.5);
    EXPECT_NEAR(*got.elo.high, high, 0.5);
    EXPECT_NEAR(got.superiority * 100, superiority_percent, 0.05);
  };
  expect({{12, 9, 40, 15, 24}}, 52.5, 9, 98, 99.1);
  expect({{1, 2, 30, 3, 4}}, 30.5, -11, 73, 92.4);
  expect({{3, 1, 20, 0, 0}}, -51.0, -100, -4, 1.7);
}

TEST(Estimate, OfNothingIsNothing) {
  for (const Estimate& none : {estimate(GameCounts{}), estimate(PairCounts{})}) {
    EXPECT_FALSE(none.score.value || none.score.low || none.score.high);
    EXPECT_FALSE(none.elo.value || none.elo.low || none.elo.high || none.elo.error());
    EXPECT_FALSE(none.normalised_elo.value);
    EXPECT_EQ(none.superiority, 0.5);
    EXPECT_EQ(none.draws, 0);
    EXPECT_FALSE(none.pairs_ratio);
  }
}

TEST(Estimate, BoundsWhatWasAlwaysWonByTheRuleOfThree) {
  const Estimate won = estimate(GameCounts{.losses = 0, .draws = 0, .wins = 20});
  EXPECT_EQ(won.score.value, 1);
  EXPECT_FALSE(won.elo.value);
  EXPECT_NEAR(*won.elo.low, elo_of_score(0.85), 1e-9);
  EXPECT_FALSE(won.elo.high);
  EXPECT_FALSE(won.elo.error());
  EXPECT_FALSE(won.normalised_elo.value);
  EXPECT_NEAR(won.superiority, 1 - std::pow(0.5, 20), 1e-12);
  // Ten pairs are twenty games, and say the same.
  EXPECT_NEAR(*estimate(PairCounts{{0, 0, 0, 0, 10}}).elo.low, elo_of_score(0.85), 1e-9);

  const Estimate lost = estimate(PairCounts{{10, 0, 0, 0, 0}});
  EXPECT_NEAR(*lost.elo.high, elo_of_score(0.15), 1e-9);
  EXPECT_FALSE(lost.elo.low || lost.elo.value || lost.pairs_ratio == 1);
  EXPECT_NEAR(lost.superiority, std::pow(0.5, 20), 1e-12);
}

TEST(Estimate, GivesNoBoundFromFiveGames) {
  EXPECT_FALSE(estimate(GameCounts{.losses = 0, .draws = 0, .wins = 5}).elo.low);
  EXPECT_TRUE(estimate(GameCounts{.losses = 0, .draws = 0, .wins = 6}).elo.low);
  EXPECT_FALSE(estimate(PairCounts{{0, 0, 5, 0, 0}}).elo.low);
}

TEST(Estimate, OfResultsThatAreAllEvenIsEvenWithinTheRuleOfThree) {
  for (const Estimate& even :
       {estimate(GameCounts{.losses = 0, .draws = 30, .wins = 0}), estimate(PairCounts{{0, 0, 30, 0, 0}})}) {
    EXPECT_EQ(even.elo.value, 0);
    EXPECT_EQ(even.normalised_elo.value, 0);
    EXPECT_NEAR(*even.score.low, 0.45, 1e-9);
    EXPECT_NEAR(*even.score.high, 0.55, 1e-9);
    EXPECT_EQ(even.superiority, 0.5);
    EXPECT_EQ(even.draws, 1);
  }
  // Always a win and a draw: known well, but not for certain.
  const Estimate ahead = estimate(PairCounts{{0, 0, 0, 30, 0}});
  EXPECT_NEAR(*ahead.elo.value, elo_of_score(0.75), 1e-9);
  EXPECT_NEAR(*ahead.score.low, 0.675, 1e-9);
  EXPECT_NEAR(*ahead.score.high, 0.775, 1e-9);
}

TEST(Estimate, LeavesTheEndOpenThatALinearIntervalPassesBeyondAllElo) {
  const Estimate got = estimate(GameCounts{.losses = 1, .draws = 0, .wins = 19});
  EXPECT_TRUE(got.elo.value && got.elo.low);
  EXPECT_FALSE(got.elo.high || got.elo.error());
  EXPECT_EQ(got.score.high, 1);
}

TEST(Elo, ScoresAndDifferencesAreInverse) {
  EXPECT_NEAR(score_of_elo(100), 0.640065, 1e-6);
  for (const double elo : {-800.0, -35.5, 0.0, 7.0, 1200.0}) EXPECT_NEAR(elo_of_score(score_of_elo(elo)), elo, 1e-6);
  EXPECT_NEAR(normal_cdf(kZ95), 0.975, 1e-12);
}

}  // namespace
}  // namespace fuhyo::match
