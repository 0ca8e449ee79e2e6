#include "engines/nn/model.h"

#include <cmath>
#include <random>

#include "engines/nn/batch_norm.h"
#include "engines/nn/random_model.h"
#include "engines/nn/reference_backend.h"
#include "tests/unit/nn/batches.h"

namespace fuhyo::nn {
namespace {

// One plane, one channel, no blocks: everything can be computed by hand.
Model tiny() {
  return Model::zeros(
      {.planes = 1, .scalars = 1, .channels = 1, .policy_planes = 1, .value_planes = 1, .value_hidden = 1});
}

Evaluations evaluate(const Model& model, Plane plane, float scalar) {
  Batch batch(model.shape, 1);
  batch.add();
  batch.planes(0)[0] = plane;
  if (!batch.scalars(0).empty()) batch.scalars(0)[0] = scalar;
  Evaluations out(model.shape, 1);
  EXPECT_TRUE(reference_backend(std::make_shared<const Model>(model))->evaluate(batch, out));
  return out;
}

TEST(Reference, MovesMapsAsWeightsSay) {
  Model model = tiny();
  model.policy.weights[0] = 1;
  // The square with the larger number along both axes is looked at.
  model.planes.weights[2 * 3 + 2] = 1;
  const Evaluations out = evaluate(model, {std::uint64_t{1} << 40, std::uint64_t{1} << 16}, 0);
  for (std::size_t s = 0; s < 81; ++s) {
    EXPECT_EQ(out.logits(0)[s], s == 30 || s == 70 ? 1 : 0) << s;  // 40 - 10, and square 80 - 10
  }
}

TEST(Reference, AddsScalarsEverywhereAndBiasesToLogits) {
  Model model = tiny();
  model.scalars.weights[0] = 2;
  model.planes.bias[0] = 0.5F;
  model.policy.weights[0] = 3;
  for (std::size_t s = 0; s < 81; ++s) model.policy_bias[s] = static_cast<float>(s);
  const Evaluations out = evaluate(model, {}, 1);
  for (std::size_t s = 0; s < 81; ++s) EXPECT_FLOAT_EQ(out.logits(0)[s], 7.5F + static_cast<float>(s));
}

TEST(Reference, GivesTheChanceToWin) {
  Model model = tiny();
  EXPECT_FLOAT_EQ(evaluate(model, {}, 0).value(0), 0.5F);
  model.value_out.bias[0] = 2;
  EXPECT_FLOAT_EQ(evaluate(model, {}, 0).value(0), static_cast<float>(1 / (1 + std::exp(-2.0))));
}

TEST(Reference, ComputesSiLU) {
  Model model = tiny();
  model.shape.activation = Activation::silu;
  model.planes.bias[0] = -1;
  model.policy.weights[0] = 1;
  EXPECT_FLOAT_EQ(evaluate(model, {}, 0).logits(0)[0], static_cast<float>(-1 / (1 + std::exp(1.0))));
}

TEST(Reference, PoolsAndGates) {
  Shape shape = tiny().shape;
  shape.blocks = 1;
  shape.kind = BlockKind::squeeze_excite;
  shape.squeeze = 1;
  Model model = Model::zeros(shape);
  model.planes.bias[0] = 1;  // x = 1 everywhere
  model.policy.weights[0] = 1;
  Block& block = model.blocks[0];
  block.second.bias[0] = 3;      // y = 3
  block.squeeze.weights[0] = 2;  // 6
  block.excite.weights[0] = 0.5F;
  const double gate = 1 / (1 + std::exp(-3.0));
  EXPECT_FLOAT_EQ(evaluate(model, {}, 0).logits(0)[5], static_cast<float>(3 * gate + 1));
  shape.kind = BlockKind::global_pool;
  shape.squeeze = 0;
  model = Model::zeros(shape);
  model.planes.bias[0] = 1;
  model.policy.weights[0] = 1;
  model.blocks[0].first.weights[4] = 1;  // h = 1, and 2 with the plane's square
  model.planes.weights[4] = 1;
  model.blocks[0].pool.weights = {81, 10};  // 82 + 20
  model.blocks[0].second.weights[4] = 1;
  const Evaluations out = evaluate(model, {1, 0}, 0);
  EXPECT_FLOAT_EQ(out.logits(0)[0], 2 + 2 + 102);
  EXPECT_FLOAT_EQ(out.logits(0)[1], 1 + 1 + 102);
}

TEST(Reference, PreparesMapsBeforeLayers) {
  Shape shape = tiny().shape;
  shape.blocks = 1;
  shape.kind = BlockKind::pre_activation;
  Model model = Model::zeros(shape);
  model.policy.weights[0] = 1;
  model.planes.bias[0] = -3;  // x = -3, and nothing is cut off
  Block& block = model.blocks[0];
  block.before = {.scale = {-2}, .shift = {1}};  // 7
  block.first.weights[4] = 1;
  block.first.bias[0] = 3;  // 10
  block.second.weights[4] = 0.5F;
  block.second.bias[0] = -1;  // 4, so x = 1
  model.last = {.scale = {6}, .shift = {-2}};
  EXPECT_FLOAT_EQ(evaluate(model, {}, 0).logits(0)[5], 4);
  model.last.scale[0] = 1;
  EXPECT_FLOAT_EQ(evaluate(model, {}, 0).logits(0)[5], 0);
}

TEST(BatchNorm, FoldedIsTheSameAsAfterwards) {
  std::mt19937 random(3);
  const auto number = [&] { return static_cast<float>(random() % 2000) / 1000 - 1; };
  Convolution layer = {.inputs = 4, .outputs = 6, .kernel = 3, .weights = std::vector<float>(4 * 6 * 9)};
  for (float& weight : layer.weights) weight = number();
  BatchNorm norm = {.epsilon = 2e-5};
  for (std::uint32_t o = 0; o < layer.outputs; ++o) {
    norm.scale.push_back(number());
    norm.shift.push_back(number());
    norm.mean.push_back(number());
    norm.variance.push_back(std::abs(number()) + 1e-3F);
  }
  Convolution folded = layer;
  fold(norm, folded);
  ASSERT_EQ(folded.bias.size(), 6U);
  for (std::uint32_t o = 0; o < layer.outputs; ++o) {
    double before = 0, after = folded.bias[o];
    for (std::size_t i = 0; i < 36; ++i) {
      const double x = static_cast<double>(i % 7) - 3;
      before += layer.weights[o * 36 + i] * x;
      after += folded.weights[o * 36 + i] * x;
    }
    const double expected =
        (before - norm.mean[o]) / std::sqrt(norm.variance[o] + 2e-5) * norm.scale[o] + norm.shift[o];
    EXPECT_NEAR(after, expected, 1e-5 * (1 + std::abs(expected)));
  }
}

TEST(RandomModel, IsTheSameForASeedAndKeepsItsSize) {
  const Shape shape = {.channels = 32, .blocks = 10};
  const Model one = random_model(shape, 1), same = random_model(shape, 1), other = random_model(shape, 2);
  EXPECT_EQ(one.blocks[9].second.weights, same.blocks[9].second.weights);
  EXPECT_NE(one.blocks[9].second.weights, other.blocks[9].second.weights);
  const Batch batch = random_batch(shape, 1, 1);
  Evaluations out(shape, 1);
  ASSERT_TRUE(reference_backend(std::make_shared<const Model>(one))->evaluate(batch, out));
  float most = 0;
  for (const float logit : out.logits(0)) most = std::max(most, std::abs(logit));
  EXPECT_GT(most, 0.5F);
  EXPECT_LT(most, 200.F);
}

}  // namespace
}  // namespace fuhyo::nn
