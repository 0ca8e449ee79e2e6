// What only the back end of the processor promises; backends_test.cpp holds all of them to the reference.
#include "engines/nn/cpu_backend.h"

#include <cmath>

#include "engines/nn/choice.h"
#include "engines/nn/random_model.h"
#include "engines/nn/reference_backend.h"
#include "tests/unit/nn/batches.h"

namespace fuhyo::nn {
namespace {

class KernelsTest : public ::testing::TestWithParam<const Kernels*> {};

std::string kernels_name(const ::testing::TestParamInfo<const Kernels*>& info) { return info.param->name; }

INSTANTIATE_TEST_SUITE_P(Here, KernelsTest, ::testing::ValuesIn(kernels_here().begin(), kernels_here().end()),
                         kernels_name);

// Large inputs take e^x to its limits.
TEST_P(KernelsTest, GiveWhatTheDefinitionGivesFarFromZero) {
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
