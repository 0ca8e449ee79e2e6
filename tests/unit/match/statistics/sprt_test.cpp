// The sequential test against fishtest's numbers, and at its limits.
#include "engines/match/statistics/sprt.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "engines/match/statistics/elo.h"
#include "engines/match/statistics/likelihood.h"
#include "engines/match/tune/random.h"
#include "tests/support/sanitized.h"
#include "tests/unit/match/statistics/golden_lines.h"

namespace fuhyo::match {
namespace {

Sprt logistic(double elo0, double elo1) { return {.elo0 = elo0, .elo1 = elo1, .scale = EloScale::logistic}; }
Sprt normalised(double elo0, double elo1) { return {.elo0 = elo0, .elo1 = elo1, .scale = EloScale::normalised}; }

TEST(Sprt, IsFishtestsToSixDigits) {
  const auto lines = golden_lines("likelihood_ratios.txt");
  EXPECT_GT(lines.size(), 70u);
  for (const GoldenLine& line : lines) {
    const Sprt test{
        .elo0 = std::stod(line.words[1]), .elo1 = std::stod(line.words[2]), .scale = *parse_elo_scale(line.words[0])};
    const auto count = [&](std::size_t cell) { return std::stoll(line.words[3 + cell]); };
    const double ratio =
        line.words.size() == 6
            ? log_likelihood_ratio(test, GameCounts{.losses = count(0), .draws = count(1), .wins = count(2)})
            : log_likelihood_ratio(test, PairCounts{{count(0), count(1), count(2), count(3), count(4)}});
    EXPECT_NEAR(ratio, line.numbers[0], 1e-6 * std::abs(line.numbers[0]) + 1e-7) << line.text;
  }
}

// Far out, where every tangent of the curve of equal distances must still cross the scores.
TEST(Sprt, IsFiniteForEveryResultAtEveryHypothesis) {
  for (const EloScale scale : {EloScale::logistic, EloScale::normalised}) {
    for (const double elo : {-1.0, -0.3, -0.01, 0.0, 0.01, 0.3, 0.995}) {
      const double greatest = scale == EloScale::logistic ? 1000 : 200;
      const Sprt test{.elo0 = elo * greatest, .elo1 = elo * greatest + 1, .scale = scale};
      EXPECT_FALSE(defect_of(test));
      for (int cell = 0; cell < 5; ++cell) {
        PairCounts pairs;
        pairs.of[static_cast<std::size_t>(cell)] = 1'000'000;
        EXPECT_TRUE(std::isfinite(log_likelihood_ratio(test, pairs))) << to_string(scale) << ' ' << elo << ' ' << cell;
        pairs.of = {3, 4, 5, 6, 7};
        EXPECT_TRUE(std::isfinite(log_likelihood_ratio(test, pairs))) << to_string(scale) << ' ' << elo;
      }
    }
  }
}

TEST(Sprt, ExchangedPlayersExchangeTheHypotheses) {
  const PairCounts pairs{{30, 82, 190, 110, 41}}, exchanged{{41, 110, 190, 82, 30}};
  EXPECT_NEAR(log_likelihood_ratio(normalised(2, 7), pairs), -log_likelihood_ratio(normalised(-7, -2), exchanged),
              1e-6);
  EXPECT_NEAR(log_likelihood_ratio(logistic(2, 7), pairs), -log_likelihood_ratio(logistic(-7, -2), exchanged), 1e-6);
}

TEST(Sprt, StopsAtWaldsBoundsAndNotBefore) {
  const Sprt test{.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.1, .scale = EloScale::logistic};
  EXPECT_NEAR(test.lower(), -2.2513, 1e-4);
  EXPECT_NEAR(test.upper(), 2.8904, 1e-4);
  EXPECT_EQ(verdict(test, test.upper()), Verdict::h1);
  EXPECT_EQ(verdict(test, std::nextafter(test.upper(), 0)), Verdict::undecided);
  EXPECT_EQ(verdict(test, test.lower()), Verdict::h0);
  EXPECT_EQ(verdict(test, std::nextafter(test.lower(), 0)), Verdict::undecided);
  EXPECT_EQ(to_string(Verdict::h0), "H0");
  EXPECT_EQ(to_string(Verdict::h1), "H1");
  EXPECT_EQ(to_string(Verdict::undecided), "undecided");
}

TEST(Sprt, NamesWhatIsWrongWithItsSettings) {
  EXPECT_FALSE(defect_of(Sprt{}));
  EXPECT_FALSE(defect_of(normalised(-200, 200)));
  EXPECT_FALSE(defect_of(logistic(-1000, 1000)));
  EXPECT_THAT(*defect_of(normalised(-200.5, 0)), testing::HasSubstr("-200.5"));
  EXPECT_THAT(*defect_of(logistic(0, 1000.5)), testing::HasSubstr("1000.5"));
  EXPECT_THAT(*defect_of(normalised(5, 5)), testing::HasSubstr("below elo1"));
  EXPECT_THAT(*defect_of(normalised(std::numeric_limits<double>::quiet_NaN(), 5)), testing::HasSubstr("elo0"));
  EXPECT_THAT(*defect_of({.elo0 = 0, .elo1 = 5, .alpha = 0}), testing::HasSubstr("alpha"));
  EXPECT_THAT(*defect_of({.elo0 = 0, .elo1 = 5, .beta = 1}), testing::HasSubstr("beta"));
  EXPECT_THAT(*defect_of({.elo0 = 0, .elo1 = 5, .alpha = 0.5, .beta = 0.5}), testing::HasSubstr("together"));
}

TEST(Sprt, ReadsItsScale) {
  EXPECT_EQ(parse_elo_scale("logistic"), EloScale::logistic);
  EXPECT_EQ(parse_elo_scale("normalised"), EloScale::normalised);
  EXPECT_EQ(parse_elo_scale("normalized"), EloScale::normalised);
  EXPECT_FALSE(parse_elo_scale("bayesian"));
}

// As fishtest's calculator says it (the same commit, static/js/sprt.js, without bias of the openings).
TEST(Sprt, ForeseesItsLengthAsFishtestsCalculatorDoes) {
  const auto expect = [](const Sprt& test, int draw_percent, double elo, double accepted, double games) {
    const std::int64_t decided = 100 - draw_percent;
    const auto seen = prospect(test, GameCounts{.losses = decided, .draws = 2 * draw_percent, .wins = decided}, elo);
    ASSERT_TRUE(seen);
    EXPECT_NEAR(seen->accepted, accepted, 1e-9);
    EXPECT_NEAR(seen->games, games, games * 1e-8);  // which rounds a little about even prospects
  };
  expect(normalised(0, 2), 50, 0, 0.04999999999999237, 159942.42219102438);
  expect(normalised(0, 2), 50, 0.5, 0.29683656465030483, 246539.5858842011);
  expect(logistic(0, 5), 20, 2.5, 0.500038111759361, 33493.74059390147);
  expect(logistic(-3, 1), 60, 4, 0.9993647945808138, 7099.960462521733);
  expect(normalised(0, 10), 10, -8, 0.0003671035382045235, 2644.330469291292);
  expect(logistic(0, 2), 50, 200, 1, 495.0557406995165);
}

// Tests drawn by lot, looked at after each pair: errors are as rare as promised, and lengths as foreseen, but for what
// the last pair takes a ratio beyond its bound.
TEST(Sprt, ErrsAsRarelyAsPromisedAndEndsWhenForeseen) {
  if (test::kSanitized) GTEST_SKIP() << "a statistic of many runs";
  constexpr int kTests = 200;
  const Sprt test = normalised(0, 60);
  const PairCounts even{{250, 0, 500, 0, 250}};
  for (const double elo : {0.0, 60.0}) {
    const Shares shares = likeliest_with_distance(regularised(even), elo / kNormalisedElo * std::numbers::sqrt2);
    double accepted = 0, games = 0;
    for (int i = 0; i < kTests; ++i) {
      tune::Random random(7, static_cast<std::uint64_t>(i));
      PairCounts pairs;
      Verdict reached = Verdict::undecided;
      while (reached == Verdict::undecided) {
        const double lot = random.uniform();
        pairs.add(lot < shares[0] ? 0 : lot < 1 - shares[4] ? 2 : 4);
        reached = verdict(test, log_likelihood_ratio(test, pairs));
      }
      accepted += reached == Verdict::h1 ? 1 : 0;
      games += 2 * static_cast<double>(pairs.pairs());
    }
    const auto foreseen = prospect(test, even, elo_of_score(0.5 + elo / kNormalisedElo / 2));
    EXPECT_NEAR(accepted / kTests, foreseen->accepted, 0.045) << elo;
    EXPECT_NEAR(games / kTests, foreseen->games, 0.2 * foreseen->games) << elo;
  }
}

TEST(Sprt, ForeseesFromPairsWhatItForeseesFromTheirGames) {
  // Two independent games a pair, a fifth drawn: the same variance of a game.
  const auto pairs = prospect(logistic(0, 5), PairCounts{{16, 16, 36, 16, 16}}, 3);
  const auto games = prospect(logistic(0, 5), GameCounts{.losses = 40, .draws = 20, .wins = 40}, 3);
  ASSERT_TRUE(pairs && games);
  EXPECT_NEAR(pairs->games, games->games, 1e-6 * games->games);
  EXPECT_NEAR(pairs->accepted, games->accepted, 1e-9);
  EXPECT_FALSE(prospect(logistic(0, 5), PairCounts{{0, 0, 50, 0, 0}}, 3));
  EXPECT_FALSE(prospect(logistic(0, 5), GameCounts{}, 3));
}

}  // namespace
}  // namespace fuhyo::match
