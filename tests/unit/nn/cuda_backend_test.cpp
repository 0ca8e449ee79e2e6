// What can only be seen of an emulated GPU, and what is said where there is none; backends_test.cpp holds both to the
// reference.
#include "engines/nn/cuda/cuda_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/nn/random_model.h"
#include "tests/unit/nn/batches.h"
#include "tests/unit/nn/emulated_device.h"

namespace fuhyo::nn {
namespace {

using cuda::EmulatedDevice;
using cuda::Order;

TEST(EmulatedGpu, GivesTheSameWhateverRunsFirst) {
  for (const BlockKind kind :
       {BlockKind::plain, BlockKind::squeeze_excite, BlockKind::global_pool, BlockKind::pre_activation}) {
    const Shape shape =
        small({.channels = 70, .blocks = 1, .kind = kind, .squeeze = kind == BlockKind::squeeze_excite ? 9U : 0});
    const Model model = random_model(shape, 1);
    const Batch inputs = random_batch(shape, 3, 2);
    Evaluations forward(shape, 3), backward(shape, 3);
    const auto one = cuda_backend(model, std::make_shared<EmulatedDevice>(Order::forward), 4);
    const auto other = cuda_backend(model, std::make_shared<EmulatedDevice>(Order::backward), 4);
    ASSERT_TRUE((*one)->evaluate(inputs, forward));
    ASSERT_TRUE((*other)->evaluate(inputs, backward));
    EXPECT_EQ(largest_difference(forward, backward, 3), 0) << to_string(kind);
  }
}

TEST(EmulatedGpu, SaysWhatHappenedToIt) {
  const Shape shape = small({.channels = 4, .blocks = 1});
  const Model model = random_model(shape, 1);
  const auto device = std::make_shared<EmulatedDevice>();
  const Batch inputs = random_batch(shape, 2, 2);
  Evaluations out(shape, 2);
  int calls = 0;
  // The first calls are those of the weights; then whatever a batch needs, each of which may fail, also for good.
  for (bool whole = false; !whole; ++calls) {
    ASSERT_LT(calls, 100);
    device->break_after(calls);
    const auto backend = cuda_backend(model, device, 2);
    if (!backend) {
      EXPECT_EQ(backend.error(), "emulated: broken");
      continue;
    }
    const auto done = (*backend)->evaluate(inputs, out);
    whole = done.has_value();
    if (whole) continue;
    EXPECT_EQ(done.error(), "CUDA (emulated): broken");
    EXPECT_FALSE((*backend)->evaluate(inputs, out));
    device->break_after(100);
    EXPECT_TRUE((*backend)->evaluate(inputs, out)) << "what failed in the middle is begun again";
  }
  EXPECT_GT(calls, 10);
  EXPECT_EQ(device->taken(), 0U) << "all memory is given back";
}

TEST(EmulatedGpu, NeedsFewProgramsForAllSizes) {
  const Shape shape = {.edge = 3, .planes = 1, .scalars = 0, .channels = 1, .blocks = 0, .policy_planes = 1};
  const auto device = std::make_shared<EmulatedDevice>();
  const auto backend = cuda_backend(random_model(shape, 1), device, 40);
  for (std::uint32_t batch = 1; batch <= 40; ++batch) {
    Evaluations out(shape, batch);
    ASSERT_TRUE((*backend)->evaluate(random_batch(shape, batch, 1), out));
  }
  EXPECT_EQ(device->compiled(), 8 + 4 + 4 + 1);  // 1 to 8, 10 to 16, 20 to 32, 40
}

TEST(Gpu, TakesBatchesThatKeepItBusy) {
  EXPECT_EQ(gpu_batch({.channels = 192, .blocks = 10}, 132), 256U);
  EXPECT_EQ(gpu_batch({.channels = 64, .blocks = 5}, 132), 512U);
  EXPECT_EQ(gpu_batch({.channels = 1024, .blocks = 10}, 10), 32U);
}

TEST(Gpu, IsMissedWithAReason) {
  std::string error;
  EXPECT_EQ(cuda::open_device(1000, error), nullptr);
  EXPECT_THAT(error, ::testing::AnyOf(::testing::HasSubstr("GPU"), ::testing::HasSubstr("built without CUDA")));
}

}  // namespace
}  // namespace fuhyo::nn
