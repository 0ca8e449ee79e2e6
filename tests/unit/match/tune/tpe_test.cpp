#include "engines/match/tune/tpe.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/tune/axis.h"

namespace fuhyo::match::tune {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

Parameter whole(double min, double max, bool log = false) {
  return {.name = "a", .value = min, .min = min, .max = max, .log = log};
}

TEST(Axis, WholeNumbersHaveEqualShares) {
  const Axis axis(whole(0, 3));
  EXPECT_EQ(axis.value(0), 0);
  EXPECT_EQ(axis.value(0.2499), 0);
  EXPECT_EQ(axis.value(0.2501), 1);
  EXPECT_EQ(axis.value(1), 3);
  EXPECT_DOUBLE_EQ(axis.unit(0), 0.125);
  EXPECT_EQ(axis.bin(3), (std::pair{0.75, 1.0}));
}

TEST(Axis, ALogarithmMakesFactorsAlike) {
  const Axis axis({.name = "a", .integer = false, .value = 1, .min = 0.01, .max = 100, .log = true});
  EXPECT_NEAR(axis.unit(1), 0.5, 1e-12);
  EXPECT_NEAR(axis.value(0.25), 0.1, 1e-12);
  const Axis wholes(whole(1, 1000, true));
  EXPECT_EQ(wholes.value(0), 1);
  EXPECT_EQ(wholes.value(1), 1000);
  EXPECT_GT(wholes.unit(2) - wholes.unit(1), 50 * (wholes.unit(1000) - wholes.unit(990)));
}

TEST(Axis, ASingleValueIsItself) {
  const Axis axis({.name = "a", .integer = false, .value = 5, .min = 5, .max = 5});
  EXPECT_EQ(axis.unit(5), 0.5);
  EXPECT_EQ(axis.value(0.3), 5);
}

// As hyperopt's adaptive_parzen_normal does: the prior among the points, each as wide as its farther gap.
TEST(Parzen, WidthsAreThoseOfTheGaps) {
  const Parzen parzen({0.9, 0.1, 0.2});
  ASSERT_EQ(parzen.parts().size(), 4U);
  std::vector<double> means, widths;
  for (const auto& [weight, mean, deviation] : parzen.parts()) {
    EXPECT_DOUBLE_EQ(weight, 0.25);
    means.push_back(mean), widths.push_back(deviation);
  }
  EXPECT_THAT(means, ElementsAre(0.1, 0.2, 0.5, 0.9));
  // 0.1: below the least width, 1 / (1 + 4).
  EXPECT_THAT(widths, ElementsAre(0.2, DoubleNear(0.3, 1e-12), 1, DoubleNear(0.4, 1e-12)));
}

TEST(Parzen, OldPointsWeighLess) {
  const Parzen parzen({0.1, 0.2, 0.3, 0.4}, 2);
  std::vector<double> weights;
  double sum = 0;
  for (const auto& [weight, mean, deviation] : parzen.parts()) weights.push_back(weight / parzen.parts()[4].weight);
  for (const auto& [weight, mean, deviation] : parzen.parts()) sum += weight;
  EXPECT_THAT(weights, ElementsAre(0.25, 1, 1, 1, 1));
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Parzen, ItIsADensityOnTheUnitAndDrawnFromIt) {
  const Parzen parzen({0.02, 0.95, 0.97, 0.5});
  constexpr int kBins = 10;
  double sum = 0;
  std::vector<double> masses;
  for (int i = 0; i < kBins; ++i) masses.push_back(parzen.mass(i / 10.0, (i + 1) / 10.0)), sum += masses.back();
  EXPECT_NEAR(sum, 1, 1e-12);
  double integral = 0;
  for (int i = 0; i < 1'000; ++i) integral += parzen.density((i + 0.5) / 1'000) / 1'000;
  EXPECT_NEAR(integral, 1, 1e-4);
  Random chance(3, 1);
  std::vector<int> drawn(kBins);
  for (int i = 0; i < 50'000; ++i) {
    const double at = parzen.draw(chance);
    ASSERT_GE(at, 0);
    ASSERT_LE(at, 1);
    ++drawn[static_cast<std::size_t>(std::min(kBins - 1, static_cast<int>(at * kBins)))];
  }
  for (std::size_t i = 0; i < kBins; ++i) EXPECT_NEAR(drawn[i] / 50'000.0, masses[i], 0.01) << i;
}

TEST(Tpe, TheBestAreSplitOff) {
  std::vector<Tried> tried;
  for (const double score : {0.4, 0.6, 0.5, 0.55, 0.3}) tried.push_back({{0}, score});
  TpeRules rules{.gamma = 0.8};
  const auto [good, bad] = split_best(tried, rules);
  EXPECT_THAT(good, ElementsAre(1, 3));  // ceil(0.8 sqrt(5)) of them
  EXPECT_THAT(bad, ElementsAre(0, 2, 4));
}

TEST(Tpe, ItGoesWhereResultsAreGood) {
  const Parameters parameters{whole(0, 100),
                              {.name = "b", .integer = false, .value = 1, .min = 0.01, .max = 100, .log = true},
                              {.name = "c", .value = 7, .min = 0, .max = 9, .used = false}};
  std::vector<Tried> tried;
  for (std::uint64_t i = 0; i < 120; ++i) {
    Random chance(1, i);
    const Values values = propose(parameters, tried, {}, chance);
    ASSERT_EQ(values[2], 7);
    ASSERT_EQ(values[0], std::round(values[0]));
    ASSERT_GE(values[1], 0.01);
    tried.push_back({values, -std::abs(values[0] - 30) / 100 - std::abs(std::log10(values[1] / 10)) / 4});
  }
  double first = 0, last = 0;
  for (std::size_t i = 0; i < 20; ++i) first += tried[i].score / 20, last += tried[i + 100].score / 20;
  EXPECT_GT(last, 0.65 * first);
}

}  // namespace
}  // namespace fuhyo::match::tune
