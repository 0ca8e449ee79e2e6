#include "engines/nn/cpu_backend.h"

#include <cmath>
#include <random>
#include <thread>

#include "engines/nn/choice.h"
#include "engines/nn/random_model.h"
#include "engines/nn/reference_backend.h"
#include "tests/unit/nn/batches.h"

namespace fuhyo::nn {
namespace {

// The largest difference of a logit or a value that counts as rounding.
constexpr float kRounding = 1e-3F;

class KernelsTest : public ::testing::TestWithParam<const Kernels*> {};

std::string kernels_name(const ::testing::TestParamInfo<const Kernels*>& info) { return info.param->name; }

INSTANTIATE_TEST_SUITE_P(Here, KernelsTest, ::testing::ValuesIn(kernels_here().begin(), kernels_here().end()),
                         kernels_name);

void expect_same(const Shape& shape, const Kernels& kernels, std::uint32_t batch) {
  SCOPED_TRACE(shape.name() + ", batch " + std::to_string(batch));
  const auto model = std::make_shared<const Model>(random_model(shape, 1));
  const auto reference = reference_backend(model), backend = cpu_backend(*model, kernels);
  const Batch inputs = random_batch(shape, batch, 7 * batch);
  Evaluations expected(shape, batch), found(shape, batch);
  ASSERT_TRUE(reference->evaluate(inputs, expected));
  ASSERT_TRUE(backend->evaluate(inputs, found));
  EXPECT_LT(largest_difference(expected, found, batch), kRounding);
}

TEST_P(KernelsTest, GiveWhatTheDefinitionGives) {
  for (const std::uint32_t channels : {64U, 96U, 192U}) {
    expect_same({.channels = channels, .blocks = 2}, *GetParam(), 2);
  }
  expect_same({.channels = 64, .blocks = 2, .activation = Activation::silu}, *GetParam(), 3);
}

TEST_P(KernelsTest, GiveItForEveryBatchSize) {
  for (std::uint32_t batch = 1; batch <= 20; ++batch) expect_same({.channels = 32, .blocks = 1}, *GetParam(), batch);
}

TEST_P(KernelsTest, GiveItForChannelsThatFillNoVector) {
  for (const std::uint32_t channels : {1U, 7U, 16U, 17U, 33U, 48U, 80U, 100U}) {
    expect_same({.channels = channels, .blocks = 1}, *GetParam(), 2);
  }
}

TEST_P(KernelsTest, GiveItForOtherInputsAndOutputs) {
  expect_same({.planes = 1, .scalars = 0, .channels = 24, .blocks = 1}, *GetParam(), 1);
  expect_same({.scalars = 119, .channels = 24, .blocks = 1}, *GetParam(), 2);
  const Shape odd = {.channels = 24, .blocks = 1, .policy_planes = 1, .value_planes = 33, .value_hidden = 7};
  expect_same(odd, *GetParam(), 3);
}

TEST_P(KernelsTest, GiveItOnSmallerBoards) {
  for (std::uint32_t edge = 3; edge <= 8; ++edge) {
    expect_same({.edge = edge, .planes = 3, .scalars = 1, .channels = 20, .blocks = 2}, *GetParam(), 2);
  }
}

TEST_P(KernelsTest, GiveItWithSqueezeAndExcite) {
  for (const Activation activation : {Activation::relu, Activation::silu}) {
    const Shape shape = {
        .channels = 40, .blocks = 2, .kind = BlockKind::squeeze_excite, .activation = activation, .squeeze = 5};
    expect_same(shape, *GetParam(), 3);
  }
}

TEST_P(KernelsTest, GiveItWithAGlobalPoolBias) {
  for (const Activation activation : {Activation::relu, Activation::silu}) {
    const Shape shape = {.channels = 40, .blocks = 2, .kind = BlockKind::global_pool, .activation = activation};
    expect_same(shape, *GetParam(), 3);
  }
}

TEST_P(KernelsTest, GiveItWithActivationsBeforeLayers) {
  for (const Activation activation : {Activation::relu, Activation::silu}) {
    expect_same({.channels = 40, .blocks = 2, .kind = BlockKind::pre_activation, .activation = activation}, *GetParam(),
                3);
  }
  expect_same({.edge = 5, .channels = 17, .blocks = 0, .kind = BlockKind::pre_activation}, *GetParam(), 1);
}

// Large inputs take e^x to its limits.
TEST_P(KernelsTest, GiveItFarFromZero) {
  const Shape shape = {.channels = 16, .blocks = 1, .activation = Activation::silu};
  Model model = random_model(shape, 3);
  for (float& bias : model.planes.bias) bias *= 2000;
  const auto shared = std::make_shared<const Model>(model);
  const Batch inputs = random_batch(shape, 1, 5);
  Evaluations expected(shape, 1), found(shape, 1);
  ASSERT_TRUE(reference_backend(shared)->evaluate(inputs, expected));
  ASSERT_TRUE(cpu_backend(model, *GetParam())->evaluate(inputs, found));
  for (std::size_t i = 0; i < shape.policy_size(); ++i) {
    const float logit = expected.logits(0)[i];
    ASSERT_NEAR(found.logits(0)[i], logit, 1e-5F * (std::abs(logit) + 500));
  }
}

TEST_P(KernelsTest, KeepNothingOfTheBatchBefore) {
  const Shape shape = {.channels = 32, .blocks = 2};
  const Model model = random_model(shape, 1);
  const auto used = cpu_backend(model, *GetParam());
  Evaluations ignored(shape, 16);
  ASSERT_TRUE(used->evaluate(random_batch(shape, 16, 1), ignored));
  const Batch inputs = random_batch(shape, 3, 2);
  Evaluations again(shape, 3), fresh(shape, 3);
  ASSERT_TRUE(used->evaluate(inputs, again));
  ASSERT_TRUE(cpu_backend(model, *GetParam())->evaluate(inputs, fresh));
  EXPECT_EQ(largest_difference(again, fresh, 3), 0);
}

TEST_P(KernelsTest, ShareWeightsBetweenThreads) {
  const Shape shape = {.channels = 32, .blocks = 3};
  const auto first = cpu_backend(random_model(shape, 1), *GetParam());
  const auto second = first->for_another_thread();
  const Batch inputs = random_batch(shape, 5, 2);
  Evaluations one(shape, 5), two(shape, 5);
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) (void)second->evaluate(inputs, two);
  });
  for (int i = 0; i < 20; ++i) (void)first->evaluate(inputs, one);
  other.join();
  EXPECT_EQ(largest_difference(one, two, 5), 0);
}

TEST(CpuBackend, SharesWeightsBetweenProcessesIfAskedTo) {
  const Shape shape = {.channels = 32, .blocks = 1};
  const Model model = random_model(shape, 11);
  const Kernels& kernels = *kernels_here().front();
  const auto alone = cpu_backend(model, kernels), shared = cpu_backend(model, kernels, true);
  const Batch inputs = random_batch(shape, 2, 2);
  Evaluations one(shape, 2), two(shape, 2);
  ASSERT_TRUE(alone->evaluate(inputs, one));
  ASSERT_TRUE(shared->evaluate(inputs, two));
  EXPECT_EQ(largest_difference(one, two, 2), 0);
}

TEST(CpuBackend, SaysWhatComputes) {
  const auto plain = choose_kernels("plain");
  ASSERT_TRUE(plain);
  EXPECT_EQ(cpu_backend(random_model({.channels = 1, .blocks = 0}, 1), **plain)->name(), "CPU (plain)");
  const auto unknown = choose_kernels("mmx");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("cannot run 'mmx'; it can run auto"), std::string::npos) << unknown.error();
}

}  // namespace
}  // namespace fuhyo::nn
