// The back end of GPUs against the reference: on an emulated one, and on a real one where there is one (./dev gpu).
#include "engines/nn/cuda/cuda_backend.h"

#include <functional>
#include <thread>

#include "engines/nn/random_model.h"
#include "engines/nn/reference_backend.h"
#include "engines/nn/self_test.h"
#include "tests/unit/nn/batches.h"
#include "tests/unit/nn/emulated_device.h"

namespace fuhyo::nn {
namespace {

using cuda::EmulatedDevice;
using cuda::Order;

// Few inputs, and small heads: most of the work of an emulated device would be theirs.
Shape small(Shape shape) {
  shape.planes = 5;
  shape.scalars = 3;
  shape.policy_planes = shape.value_planes = 2;
  shape.value_hidden = 20;
  return shape;
}

struct Kind {
  const char* name;
  std::function<std::shared_ptr<cuda::Device>(std::string&)> open;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class Gpus : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    std::string error;
    device_ = GetParam().open(error);
    if (device_ == nullptr) GTEST_SKIP() << error;
  }

  // The largest difference to the reference, of a batch that goes in passes of `capacity` at most.
  void expect_same(const Shape& shape, std::uint32_t batch, std::uint32_t capacity = 8) const {
    SCOPED_TRACE(shape.name() + ", edge " + std::to_string(shape.edge) + ", batch " + std::to_string(batch));
    const auto model = std::make_shared<const Model>(random_model(shape, 1));
    auto backend = cuda_backend(*model, device_, capacity);
    ASSERT_TRUE(backend) << backend.error();
    const Batch inputs = random_batch(shape, batch, 7 * batch);
    Evaluations expected(shape, batch), found(shape, batch);
    ASSERT_TRUE(reference_backend(model)->evaluate(inputs, expected));
    const auto done = (*backend)->evaluate(inputs, found);
    ASSERT_TRUE(done) << done.error();
    EXPECT_LT(largest_difference(expected, found, batch), kLargestError);
  }

  std::shared_ptr<cuda::Device> device_;
};

INSTANTIATE_TEST_SUITE_P(
    Any, Gpus,
    ::testing::Values(Kind{"Emulated", [](std::string&) { return std::make_shared<EmulatedDevice>(); }},
                      Kind{"Real", [](std::string& error) { return cuda::open_device(0, error); }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(Gpus, GiveWhatTheDefinitionGives) {
  expect_same({.channels = 64, .blocks = 2}, 2);
  expect_same({.channels = 96, .blocks = 1, .activation = Activation::silu}, 3);
}

TEST_P(Gpus, GiveItForEveryBatchSize) {
  // From a tenth of a block of columns to several, and in several passes.
  for (std::uint32_t batch = 1; batch <= 17; ++batch) expect_same(small({.channels = 16, .blocks = 1}), batch, 16);
  expect_same(small({.channels = 16, .blocks = 1}), 41, 40);
}

TEST_P(Gpus, GiveItForChannelsThatFillNoBlock) {
  for (const std::uint32_t channels : {1U, 7U, 15U, 17U, 63U, 65U, 130U}) {
    expect_same(small({.channels = channels, .blocks = 1}), 2);
  }
}

TEST_P(Gpus, GiveItForOtherInputsAndOutputs) {
  expect_same({.planes = 1, .scalars = 0, .channels = 24, .blocks = 0}, 1);
  expect_same({.planes = 130, .scalars = 119, .channels = 24, .blocks = 1}, 2);
  expect_same({.channels = 24, .blocks = 1, .policy_planes = 1, .value_planes = 33, .value_hidden = 7}, 3);
  expect_same({.channels = 8, .blocks = 1, .policy_planes = 80, .value_planes = 1, .value_hidden = 300}, 2);
}

TEST_P(Gpus, GiveItOnSmallerBoards) {
  for (std::uint32_t edge = 3; edge <= 8; ++edge) {
    for (const BlockKind kind : {BlockKind::plain, BlockKind::global_pool}) {
      expect_same(small({.edge = edge, .channels = 20, .blocks = 2, .kind = kind}), 5);
    }
  }
}

TEST_P(Gpus, GiveItWithSqueezeAndExcite) {
  for (const Activation activation : {Activation::relu, Activation::silu}) {
    for (const std::uint32_t squeeze : {5U, 64U}) {
      expect_same({.channels = 40,
                   .blocks = 2,
                   .kind = BlockKind::squeeze_excite,
                   .activation = activation,
                   .squeeze = squeeze},
                  3);
    }
  }
}

// Also with more boards than a block of the pool takes, and more inputs than a part of a layer.
TEST_P(Gpus, GiveItWithAGlobalPoolBias) {
  for (const Activation activation : {Activation::relu, Activation::silu}) {
    expect_same(small({.channels = 40, .blocks = 2, .kind = BlockKind::global_pool, .activation = activation}), 3);
  }
  expect_same(small({.edge = 4, .channels = 150, .blocks = 1, .kind = BlockKind::global_pool}), 35, 64);
}

TEST_P(Gpus, GiveItWithActivationsBeforeLayers) {
  for (const Activation activation : {Activation::relu, Activation::silu}) {
    expect_same(small({.channels = 40, .blocks = 2, .kind = BlockKind::pre_activation, .activation = activation}), 3);
  }
  expect_same(small({.edge = 4, .channels = 17, .blocks = 0, .kind = BlockKind::pre_activation}), 2);
}

TEST_P(Gpus, KeepNothingOfTheBatchBefore) {
  const Shape shape = small({.channels = 20, .blocks = 2, .kind = BlockKind::global_pool});
  const Model model = random_model(shape, 1);
  const auto used = cuda_backend(model, device_, 16), fresh = cuda_backend(model, device_, 16);
  ASSERT_TRUE(used && fresh);
  Evaluations ignored(shape, 16);
  ASSERT_TRUE((*used)->evaluate(random_batch(shape, 16, 1), ignored));
  const Batch inputs = random_batch(shape, 3, 2);
  Evaluations again(shape, 3), first(shape, 3);
  ASSERT_TRUE((*used)->evaluate(inputs, again));
  ASSERT_TRUE((*fresh)->evaluate(inputs, first));
  EXPECT_EQ(largest_difference(again, first, 3), 0);
}

TEST_P(Gpus, ShareWeightsBetweenThreads) {
  const Shape shape = small({.channels = 16, .blocks = 1});
  const auto first = cuda_backend(random_model(shape, 1), device_, 4);
  ASSERT_TRUE(first) << first.error();
  const auto second = (*first)->for_another_thread();
  const Batch inputs = random_batch(shape, 5, 2);
  Evaluations one(shape, 5), two(shape, 5);
  std::thread other([&] {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(second->evaluate(inputs, two));
  });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE((*first)->evaluate(inputs, one));
  other.join();
  EXPECT_EQ(largest_difference(one, two, 5), 0);
}

// ---- what can only be seen of an emulated one ----

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
