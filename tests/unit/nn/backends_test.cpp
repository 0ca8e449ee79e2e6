// Every back end against the reference, for every kind of network: the kernels of this processor, an emulated GPU, and
// a real one where there is one (./dev gpu).
#include <functional>
#include <thread>

#include "engines/nn/choice.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/cuda/cuda_backend.h"
#include "engines/nn/random_model.h"
#include "engines/nn/reference_backend.h"
#include "engines/nn/self_test.h"
#include "tests/unit/nn/batches.h"
#include "tests/unit/nn/emulated_device.h"

namespace fuhyo::nn {
namespace {

using Made = std::expected<std::unique_ptr<Backend>, std::string>;

struct Kind {
  std::string name;
  float tolerance;  // of a logit or a value: what counts as rounding
  // A back end that computes batches in passes of `capacity` at most, if it has passes.
  std::function<Made(const Model&, std::uint32_t capacity)> make_it;

  std::unique_ptr<Backend> make(const Model& model, std::uint32_t capacity) const {
    auto made = make_it(model, capacity);
    EXPECT_TRUE(made) << made.error();
    return *std::move(made);
  }
};

Kind of_device(std::string name, std::shared_ptr<cuda::Device> device) {
  return {std::move(name), kLargestError,
          [device](const Model& model, std::uint32_t capacity) { return cuda_backend(model, device, capacity); }};
}

// Those that are here.
std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const Kernels* const kernels : kernels_here()) {
    all.push_back(
        {kernels->name, 1e-3F, [kernels](const Model& model, std::uint32_t) { return cpu_backend(model, *kernels); }});
  }
  all.push_back(of_device("emulated GPU", std::make_shared<cuda::EmulatedDevice>()));
  std::string error;
  if (const auto device = cuda::open_device(0, error)) all.push_back(of_device("GPU", device));
  return all;
}

void expect_same(const Shape& shape, std::uint32_t batch, std::uint32_t capacity) {
  const auto model = std::make_shared<const Model>(random_model(shape, 1));
  const Batch inputs = random_batch(shape, batch, 7 * batch);
  Evaluations expected(shape, batch);
  ASSERT_TRUE(reference_backend(model)->evaluate(inputs, expected));
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name + ", " + shape.name() + ", edge " + std::to_string(shape.edge) + ", batch " +
                 std::to_string(batch));
    Evaluations found(shape, batch);
    const auto done = kind.make(*model, capacity)->evaluate(inputs, found);
    ASSERT_TRUE(done) << done.error();
    EXPECT_LT(largest_difference(expected, found, batch), kind.tolerance);
  }
}

constexpr Activation kActivations[] = {Activation::relu, Activation::silu};

TEST(Backends, GiveWhatTheDefinitionGivesOfWholeNetworks) {
  expect_same({.channels = 64, .blocks = 2}, 2, 8);
  expect_same({.channels = 96, .blocks = 1, .activation = Activation::silu}, 3, 8);
  expect_same(small({.channels = 192, .blocks = 1}), 2, 8);
}

// From a tenth of a block of columns to several, and in several passes.
TEST(Backends, GiveItForEveryBatchSize) {
  for (std::uint32_t batch = 1; batch <= 20; ++batch) expect_same(small({.channels = 16, .blocks = 1}), batch, 16);
  expect_same(small({.channels = 16, .blocks = 1}), 41, 40);
}

TEST(Backends, GiveItForChannelsThatFillNoVectorAndNoBlock) {
  for (const std::uint32_t channels : {1U, 7U, 15U, 16U, 17U, 33U, 48U, 63U, 65U, 80U, 100U, 130U}) {
    expect_same(small({.channels = channels, .blocks = 1}), 2, 8);
  }
}

TEST(Backends, GiveItForOtherInputsAndOutputs) {
  expect_same({.planes = 1, .scalars = 0, .channels = 24, .blocks = 0}, 1, 8);
  expect_same({.planes = 130, .scalars = 119, .channels = 24, .blocks = 1}, 2, 8);
  expect_same({.channels = 24, .blocks = 1, .policy_planes = 1, .value_planes = 33, .value_hidden = 7}, 3, 8);
  expect_same({.channels = 8, .blocks = 1, .policy_planes = 80, .value_planes = 1, .value_hidden = 300}, 2, 8);
}

TEST(Backends, GiveItOnSmallerBoards) {
  for (std::uint32_t edge = 3; edge <= 8; ++edge) {
    for (const BlockKind kind : {BlockKind::plain, BlockKind::global_pool}) {
      expect_same(small({.edge = edge, .channels = 20, .blocks = 2, .kind = kind}), 5, 8);
    }
  }
}

TEST(Backends, GiveItForEveryKindOfBlock) {
  for (const Activation activation : kActivations) {
    Shape shape = small({.channels = 40, .blocks = 2, .activation = activation});
    for (const BlockKind kind : {BlockKind::global_pool, BlockKind::pre_activation}) {
      shape.kind = kind;
      expect_same(shape, 3, 8);
    }
    shape.kind = BlockKind::squeeze_excite;
    for (shape.squeeze = 5; shape.squeeze <= 64; shape.squeeze += 59) expect_same(shape, 3, 8);
  }
  expect_same(small({.edge = 4, .channels = 17, .blocks = 0, .kind = BlockKind::pre_activation}), 2, 8);
  // More boards than a block of the pool takes, and more inputs than a part of a layer.
  expect_same(small({.edge = 4, .channels = 150, .blocks = 1, .kind = BlockKind::global_pool}), 35, 64);
}

TEST(Backends, KeepNothingOfTheBatchBefore) {
  const Shape shape = small({.channels = 20, .blocks = 2, .kind = BlockKind::global_pool});
  const Model model = random_model(shape, 1);
  const Batch inputs = random_batch(shape, 3, 2);
  for (const Kind& kind : kinds()) {
    const auto used = kind.make(model, 16), fresh = kind.make(model, 16);
    Evaluations ignored(shape, 16), again(shape, 3), first(shape, 3);
    ASSERT_TRUE(used->evaluate(random_batch(shape, 16, 1), ignored));
    ASSERT_TRUE(used->evaluate(inputs, again));
    ASSERT_TRUE(fresh->evaluate(inputs, first));
    EXPECT_EQ(largest_difference(again, first, 3), 0) << kind.name;
  }
}

TEST(Backends, ShareWeightsBetweenThreads) {
  const Shape shape = small({.channels = 16, .blocks = 1});
  const Model model = random_model(shape, 1);
  const Batch inputs = random_batch(shape, 5, 2);
  for (const Kind& kind : kinds()) {
    const auto first = kind.make(model, 4);
    const auto second = first->for_another_thread();
    Evaluations one(shape, 5), two(shape, 5);
    std::thread other([&] {
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(second->evaluate(inputs, two));
    });
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(first->evaluate(inputs, one));
    other.join();
    EXPECT_EQ(largest_difference(one, two, 5), 0) << kind.name;
  }
}

}  // namespace
}  // namespace fuhyo::nn
