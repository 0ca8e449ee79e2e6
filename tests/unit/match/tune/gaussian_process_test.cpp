#include "engines/match/tune/gaussian_process.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/tune/minimise.h"
#include "engines/match/tune/random.h"
#include "tests/support/expected.h"
#include "tests/support/sanitized.h"

namespace fuhyo::match::tune {
namespace {

using ::testing::HasSubstr;
using Kernel = GpRules::Kernel;

std::vector<GpSample> samples_of(double (*function)(double, double), int count, double noise) {
  std::vector<GpSample> samples;
  Random chance(4, 4);
  for (int i = 0; i < count; ++i) {
    const double x = chance.uniform(), y = chance.uniform();
    samples.push_back({{x, y}, function(x, y) + noise * chance.normal(), std::max(1e-9, noise * noise)});
  }
  return samples;
}

double hill(double x, double y) { return 0.5 - (x - 0.3) * (x - 0.3) - 0.5 * (y - 0.8) * (y - 0.8); }

TEST(Cholesky, SolvesAndInverts) {
  Matrix matrix(3);
  const double rows[3][3] = {{4, 2, 1}, {2, 5, 3}, {1, 3, 6}};
  for (std::size_t i = 0; i < 3; ++i) std::copy_n(rows[i], 3, matrix.row(i));
  const auto cholesky = Cholesky::of(matrix);
  ASSERT_TRUE(cholesky);
  EXPECT_NEAR(cholesky->log_determinant(), std::log(67), 1e-12);
  const std::vector<double> x = cholesky->solve({1, 2, 3});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(dot(rows[i], x.data(), 3), static_cast<double>(i) + 1, 1e-12);
  const Matrix inverse = cholesky->inverse();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(dot(rows[i], inverse.row(j), 3), i == j ? 1 : 0, 1e-12);
  }
}

TEST(Cholesky, WhatIsBarelySingularIsHelpedAndTheRestRefused) {
  Matrix ones(2), bad(2);
  for (std::size_t i = 0; i < 2; ++i) ones.row(i)[0] = ones.row(i)[1] = 1;
  bad.row(0)[0] = 1, bad.row(1)[1] = -1;
  EXPECT_TRUE(Cholesky::of(ones));
  EXPECT_FALSE(Cholesky::of(bad));
}

// Long rows take the unrolled way.
TEST(Cholesky, DotProductsAreWhole) {
  std::vector<double> a, b;
  double sum = 0;
  for (int i = 0; i < 37; ++i) a.push_back(i), b.push_back(i + 1), sum += i * (i + 1);
  EXPECT_EQ(dot(a.data(), b.data(), 37), sum);
}

TEST(Minimise, FindsTheBottomOfABentValley) {
  const Smooth valley = [](const std::vector<double>& at, std::vector<double>& gradient) {
    const double a = 1 - at[0], b = at[1] - at[0] * at[0];
    gradient = {-2 * a - 400 * at[0] * b, 200 * b};
    return a * a + 100 * b * b;
  };
  const Minimum free = minimise(valley, {-1.2, 1}, {{-5, -5}, {5, 5}}, 200);
  EXPECT_NEAR(free.at[0], 1, 1e-3);
  EXPECT_NEAR(free.at[1], 1, 2e-3);
  // With a wall before it: on the wall, at the best place there.
  const Minimum walled = minimise(valley, {-1.2, 1}, {{-5, -5}, {0.5, 5}}, 200);
  EXPECT_NEAR(walled.at[0], 0.5, 1e-9);
  EXPECT_NEAR(walled.at[1], 0.25, 1e-3);
}

TEST(GaussianProcess, WithoutNoiseItGoesThroughTheSamples) {
  for (const Kernel kernel : {Kernel::rbf, Kernel::matern52}) {
    const auto samples = samples_of(hill, 12, 0);
    const auto process = GaussianProcess::with(samples, {.amplitude = 0.3, .lengths = {0.7, 0.9}}, kernel);
    ASSERT_TRUE(process);
    for (const GpSample& each : samples) {
      EXPECT_NEAR(process->predict(each.at).mean, each.value, 1e-4);
      EXPECT_LT(process->predict(each.at).variance, 2e-6);
    }
    EXPECT_GT(process->predict({1, 0}).variance, 2e-5);
  }
}

// One sample y with noise s^2 and the mean known to be y: the variance at distance r is a^2 (1 - k(r)^2 a^2/(a^2+s^2)).
TEST(GaussianProcess, OneSampleByHand) {
  const auto rbf = GaussianProcess::with({{{0.5}, 0.6, 0.01}}, {.amplitude = 0.2, .lengths = {0.5}}, Kernel::rbf);
  ASSERT_TRUE(rbf);
  EXPECT_NEAR(rbf->predict({0.5}).mean, 0.6, 1e-12);
  EXPECT_NEAR(rbf->predict({0.5}).variance, 0.04 * (1 - 0.8), 1e-12);
  EXPECT_NEAR(rbf->predict({1}).variance, 0.04 * (1 - 0.8 * std::exp(-1)), 1e-12);
  EXPECT_NEAR(rbf->log_likelihood(), -0.5 * std::log(2 * std::numbers::pi * 0.05), 1e-12);
  const auto matern =
      GaussianProcess::with({{{0.5}, 0.6, 0.01}}, {.amplitude = 0.2, .lengths = {0.5}}, Kernel::matern52);
  const double k = (1 + std::sqrt(5) + 5.0 / 3) * std::exp(-std::sqrt(5));
  EXPECT_NEAR(matern->predict({1}).variance, 0.04 * (1 - 0.8 * k * k), 1e-12);
}

TEST(GaussianProcess, GradientsAreThoseOfTheValues) {
  constexpr double kStep = 1e-5;
  for (const Kernel kernel : {Kernel::rbf, Kernel::matern52}) {
    const auto samples = samples_of(hill, 15, 0.05);
    const GpHyper hyper{.amplitude = 0.3, .lengths = {0.4, 0.9}};
    const auto process = GaussianProcess::with(samples, hyper, kernel);
    const std::vector<double> slopes = process->likelihood_gradient();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto moved = [&](double step) {
        GpHyper other = hyper;
        (i == 0 ? other.amplitude : other.lengths[i - 1]) *= std::exp(step);
        return GaussianProcess::with(samples, other, kernel)->log_likelihood();
      };
      EXPECT_NEAR(slopes[i], (moved(kStep) - moved(-kStep)) / (2 * kStep), 1e-4) << i;
    }
    std::vector<double> gradient(2), ignored(2);
    process->mean({0.4, 0.6}, gradient);
    EXPECT_NEAR(gradient[0],
                (process->mean({0.4 + kStep, 0.6}, ignored) - process->mean({0.4 - kStep, 0.6}, ignored)) / (2 * kStep),
                1e-6);
    EXPECT_NEAR(process->mean({0.4, 0.6}, ignored), process->predict({0.4, 0.6}).mean, 1e-12);
  }
}

TEST(GaussianProcess, TheTopOfAHillIsFoundThroughNoise) {
  if (test::kSanitized) GTEST_SKIP() << "a statistic of many runs";
  for (const Kernel kernel : {Kernel::rbf, Kernel::matern52}) {
    const auto process = GaussianProcess::fit(samples_of(hill, 150, 0.05), {.kernel = kernel, .one_length = false});
    ASSERT_TRUE(process);
    const std::vector<double> top = process->highest({{0.5, 0.5}});
    EXPECT_NEAR(top[0], 0.3, 0.12);
    EXPECT_NEAR(top[1], 0.8, 0.15);
    EXPECT_NEAR(process->predict(top).mean, 0.5, 0.04);
  }
}

TEST(GaussianProcess, ADimensionWithoutMeaningGetsALongLength) {
  const auto process = GaussianProcess::fit(samples_of([](double x, double) { return std::sin(6 * x); }, 80, 0.05),
                                            {.kernel = Kernel::rbf, .one_length = false});
  ASSERT_TRUE(process);
  EXPECT_GT(process->hyper().lengths[1], 3 * process->hyper().lengths[0]);
}

TEST(GaussianProcess, BadSamplesAreRefused) {
  const auto error_of = [](std::vector<GpSample> samples) {
    return test::error_of(GaussianProcess::fit(std::move(samples), {}));
  };
  EXPECT_THAT(error_of({}), HasSubstr("without samples"));
  EXPECT_THAT(error_of({{{0.5}, 1, 1}, {{0.5, 0.5}, 1, 1}}), HasSubstr("different dimensions"));
  EXPECT_THAT(error_of({{{1.5}, 1, 1}}), HasSubstr("outside"));
  EXPECT_THAT(error_of({{{0.5}, NAN, 1}}), HasSubstr("outside"));
  EXPECT_THAT(error_of({{{0.5}, 1, 0}}), HasSubstr("noise"));
  EXPECT_THAT(error_of(std::vector<GpSample>(kMaxGpSamples + 1, GpSample{{0.5}, 1, 1})), HasSubstr("more than"));
}

}  // namespace
}  // namespace fuhyo::match::tune
