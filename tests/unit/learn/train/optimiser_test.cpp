// Steps of each optimiser against numbers that were worked out by hand from the papers, and the curve of rates.
#include "engines/learn/train/optimiser.h"

#include <cmath>

#include "engines/learn/train/choice.h"
#include "engines/learn/train/floats.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

// A weight that begins with 1, after each of these gradients, at rate 0.1.
std::vector<float> walk(MethodOptions options, const std::vector<float>& gradients, float most = 10) {
  std::vector<float> way;
  Floats weight(kColumns, 1), gradient(kColumns), mean(kColumns), square(kColumns), largest(kColumns);
  for (std::size_t t = 0; t < gradients.size(); ++t) {
    std::ranges::fill(gradient, gradients[t]);
    StepSizes sizes = step_sizes(options, t + 1, 0.1, 0.1);
    sizes.most = most;
    sizes.least = -most;
    float* kept = keeps_largest(options.method) ? largest.data() : nullptr;
    kPlainFloatKernels.step(sizes, {weight.data(), gradient.data(), mean.data(), square.data(), kept}, kColumns);
    EXPECT_EQ(weight.front(), weight.back());
    way.push_back(weight.front());
  }
  return way;
}

void expect_way(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-6) << "step " << i + 1;
}

// beta1 0.9, beta2 0.99, gradients 2, -1, 0.5.
//   m  0.2           0.08          0.122
//   v  0.04          0.0496        0.051604
//   m^ = m / (1 - 0.9^t):   2      0.4210526    0.4501845
//   v^ = v / (1 - 0.99^t):  4      2.4924623    1.7374499
MethodOptions options(Method method) { return {.method = method, .beta1 = 0.9F, .beta2 = 0.99F, .epsilon = 1e-8F}; }
const std::vector<float> kGradients = {2, -1, 0.5F};

TEST(Optimiser, AdamTakesTheStepsOfItsPaper) {
  // 1 - 0.1 m^ / sqrt(v^):  0.1 x 1, 0.1 x 0.2666994, 0.1 x 0.3415344
  expect_way(walk(options(Method::adam), kGradients), {0.9, 0.87333006, 0.83917662});
}

TEST(Optimiser, AdamWAlsoShrinksWeights) {
  MethodOptions adamw = options(Method::adamw);
  adamw.decay = 0.5F;  // each step first keeps 0.95
  expect_way(walk(adamw, kGradients), {0.85, 0.85 * 0.95 - 0.02666994, (0.8075 - 0.02666994) * 0.95 - 0.03415344});
}

TEST(Optimiser, AmsGradRemembersTheLargestSquare) {
  // Gradients 2, 0, 0: v falls after the first step, its largest value stays 0.04. m 0.2, 0.18, 0.162.
  const double second = 0.1 * (0.18 / 0.19) / std::sqrt(0.04 / 0.0199);
  const double third = 0.1 * (0.162 / 0.271) / std::sqrt(0.04 / 0.029701);
  expect_way(walk(options(Method::amsgrad), {2, 0, 0}), {0.9, 0.9 - second, 0.9 - second - third});
  // Adam's v is 0.0396 and 0.039204 then.
  EXPECT_LT(walk(options(Method::adam), {2, 0, 0}).back(), walk(options(Method::amsgrad), {2, 0, 0}).back());
}

TEST(Optimiser, AdaBoundKeepsStepsBetweenBoundsThatClose) {
  // final rate 0.1, closing 1: bounds 0.1 (1 - 1 / (t + 1)) and 0.1 (1 + 1 / t): 0.05..0.2, 0.0667..0.15,
  // 0.075..0.1333; Adam's rate is 0.1 / (1 - 0.9^t) / sqrt(v^): 0.5, 0.3333743, 0.2799462, all above, times m.
  MethodOptions bounded = options(Method::adabound);
  bounded.final_rate = 0.1F;
  bounded.closing = 1;
  const double first = 1 - 0.2 * 0.2, second = first - 0.15 * 0.08, third = second - 0.4 / 3 * 0.122;
  expect_way(walk(bounded, kGradients), {first, second, third});
  // Gradients that are large: 0.1 / 0.1 / 200 = 0.005 is below 0.05. m = 20.
  expect_way(walk(bounded, {200}), {1 - 0.05 * 20});
}

TEST(Optimiser, AmsBoundDoesBoth) {
  MethodOptions bounded = options(Method::amsbound);
  bounded.final_rate = 100;  // no bound is met, neither from above nor, with so slow a closing, from below
  bounded.closing = 1e-6F;
  const auto free = walk(options(Method::amsgrad), {2, 0, 0});
  expect_way(walk(bounded, {2, 0, 0}), {free.begin(), free.end()});
  bounded.final_rate = 0.1F;
  bounded.closing = 1;
  expect_way(walk(bounded, kGradients), {1 - 0.04, 1 - 0.052, 1 - 0.052 - 0.4 / 3 * 0.122});
}

TEST(Optimiser, WeightsStayWithinTheirLimit) {
  const auto way = walk(options(Method::adam), {-2, -2, -2}, 1.15F);
  EXPECT_NEAR(way[0], 1.1, 1e-6);
  EXPECT_EQ(way[1], 1.15F);
  EXPECT_EQ(way[2], 1.15F);
}

TEST(Optimiser, NamesAreReadAndWritten) {
  for (const Method method : {Method::adam, Method::adamw, Method::amsgrad, Method::adabound, Method::amsbound}) {
    EXPECT_EQ(parse_method(name_of(method)), method);
  }
  EXPECT_EQ(error_of(parse_method("sgd")),
            "no optimiser is called 'sgd'; there are adam, adamw, amsgrad, adabound, amsbound");
}

TEST(Rate, FallsAsACosine) {
  const RateOptions rate{.first = 1e-3, .last = 1e-5};
  EXPECT_DOUBLE_EQ(rate_at(rate, 1, 101), 1e-3);
  EXPECT_DOUBLE_EQ(rate_at(rate, 51, 101), (1e-3 + 1e-5) / 2);
  EXPECT_NEAR(rate_at(rate, 26, 101), 1e-5 + 0.99e-3 * (1 + std::sqrt(0.5)) / 2, 1e-12);
  EXPECT_NEAR(rate_at(rate, 101, 101), 1e-5, 1e-18);
  EXPECT_DOUBLE_EQ(rate_at(rate, 1, 1), 1e-3);
}

TEST(Rate, RisesWhileItWarmsUp) {
  const RateOptions rate{.first = 1, .last = 0.1, .warm_up = 4};
  EXPECT_DOUBLE_EQ(rate_at(rate, 1, 10), 0.25);
  EXPECT_DOUBLE_EQ(rate_at(rate, 4, 10), 1);
  EXPECT_DOUBLE_EQ(rate_at(rate, 5, 10), 1);
  EXPECT_NEAR(rate_at(rate, 10, 10), 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(rate_at(rate, 2, 3), 0.5) << "a training that ends before it is warm";
}

}  // namespace
}  // namespace fuhyo::learn
