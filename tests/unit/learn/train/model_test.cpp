// Gradients against differences of losses, and everything that must not depend on the number of threads.
#include <cmath>
#include <random>

#include "engines/learn/train/choice.h"
#include "engines/learn/train/learner.h"
#include "games.h"
#include "tests/support/case_names.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

const FloatKernels& fastest() { return *float_kernels_here().front(); }

Batch batch_of(const Features& features, std::size_t count, std::uint64_t seed) {
  const auto positions = test::positions_of_games(seed, count);
  Batch batch;
  batch.resize(count, features);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const auto sample =
        sample_of(positions[i], static_cast<std::int16_t>(random() % 2000 - 1000), static_cast<int>(random() % 3) - 1);
    batch.set(i, *sample, (random() & 1) != 0, 0.7, features);
  }
  return batch;
}

// -log of the softmax of the first of them, in its plainest form.
double surprise(std::span<const float> y, double certainty) {
  double sum = 0;
  for (const float one : y) sum += std::exp(-certainty * double{one});
  return -std::log(std::exp(-certainty * double{y[0]}) / sum);
}

double loss_of(Model& model, const Batch& batch, ThreadPool& pool) {
  model.refresh(pool);
  Pass pass(model, fastest(), pool);
  std::vector<float> y(batch.size());
  pass.evaluate(batch, y);
  double sum = 0, surprises = 0;
  const std::size_t scored = batch.scored();
  for (std::size_t i = 0; i < scored; ++i) sum += cross_entropy(double{y[i]}, double{batch.target[i]});
  for (std::size_t i = scored; i < y.size(); i += batch.choices) {
    surprises += surprise(std::span(y).subspan(i, batch.choices), double{batch.certainty});
  }
  sum /= static_cast<double>(scored);
  return batch.comparisons == 0 ? sum : sum + double{batch.weight} * surprises / static_cast<double>(batch.comparisons);
}

// Of positions that have nothing to do with each other, so many to a comparison: gradients do not mind.
void add_comparisons(Batch& batch, const Features& features, std::size_t count, const ComparisonOptions& options) {
  std::vector<Sample> samples;
  for (const shogi::Position& position : test::positions_of_games(77, count * options.choices)) {
    samples.push_back(*sample_of(position));
  }
  const std::vector<std::uint8_t> mirrored(count, 1);
  batch.add_comparisons(samples, mirrored, options, features);
}

// What the loss changes by along the gradient of one array: so far that it should be `wanted`, far above rounding, and
// that few clipped values begin or end.
double change_along(Model& model, const Batch& batch, ThreadPool& pool, Part part, const Floats& slope, double wanted) {
  double squares = 0;
  for (const float one : slope) squares += double{one} * double{one};
  EXPECT_GT(squares, 0) << "array " << static_cast<int>(part);
  const double distance = wanted / squares;
  const Floats weights = model.weights()[part];
  const auto loss_at = [&](double by) {
    for (std::size_t i = 0; i < slope.size(); ++i)
      model.weights()[part][i] = static_cast<float>(double{weights[i]} + by * double{slope[i]});
    return loss_of(model, batch, pool);
  };
  const double change = loss_at(distance / 2) - loss_at(-distance / 2);
  model.weights()[part] = weights;
  return change;
}

class TrainGradient : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Features, TrainGradient, testing::Values("K+P", "HalfKP_m9", "HalfKA_hm2"),
                         [](const auto& info) { return test::case_name(info.param); });

// Along the gradient of one array at a time, the loss changes as the gradient says: so much for each of its parts.
TEST_P(TrainGradient, IsWhatLossesDifferBy) {
  ThreadPool pool(1);
  Model model = must(Model::make({.features = GetParam(), .width = 64, .hidden1 = 16, .hidden2 = 32}, 3));
  const Batch batch = batch_of(model.features(), 60, 9);
  Pass pass(model, fastest(), pool);
  Tensors gradient = model.zeros();
  const double loss = pass.learn(batch, gradient).positions;
  EXPECT_NEAR(loss, loss_of(model, batch, pool), 1e-6);
  for (std::size_t index = 0; index < kPartCount; ++index) {
    const auto part = static_cast<Part>(index);
    if (part == Part::shared && !model.features().shares()) continue;
    EXPECT_NEAR(change_along(model, batch, pool, part, gradient[part], 1e-4), 1e-4, 4e-6) << "array " << index;
  }
}

// More than a block and a part of positions, so that comparisons begin in the middle of one.
TEST(TrainGradient, CountsComparisonsWithTheirWeight) {
  ThreadPool pool(1);
  Model model = must(Model::make({.width = 64, .hidden1 = 8, .hidden2 = 8}, 5));
  Batch batch = batch_of(model.features(), 1'104, 3);
  add_comparisons(batch, model.features(), 90, {.choices = 16, .weight = 2.5, .temperature = 150});
  EXPECT_EQ(batch.scored(), 1'104u);
  EXPECT_EQ(batch.comparisons, 90u);
  Tensors gradient = model.zeros();
  const Losses losses = Pass(model, fastest(), pool).learn(batch, gradient);
  const double loss = losses.positions + 2.5 * losses.comparisons;
  EXPECT_NEAR(loss, loss_of(model, batch, pool), 1e-5);
  for (const Part part : {Part::rows, Part::weights1, Part::weights3, Part::bias3}) {
    EXPECT_NEAR(change_along(model, batch, pool, part, gradient[part], 2e-4), 2e-4, 1e-5) << static_cast<int>(part);
  }
}

TEST(ComparisonLoss, IsThatOfTheSoftmaxAndItsSlope) {
  const std::vector<float> y = {0.5F, -1.25F, 0.0F, 2.0F};
  std::vector<float> change(y.size());
  EXPECT_NEAR(comparison_loss(y, 3, change), surprise(y, 3), 1e-6);
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::vector<float> above = y, below = y;
    above[i] += 1e-3F, below[i] -= 1e-3F;
    EXPECT_NEAR(change[i], (surprise(above, 3) - surprise(below, 3)) / 2e-3, 2e-3) << i;
  }
  // Differences whose exponentials no number holds.
  const std::vector<float> far = {100, -100};
  EXPECT_NEAR(comparison_loss(far, 6, std::span(change).first(2)), 1'200, 1e-3);
  EXPECT_FLOAT_EQ(change[0], 6);
  EXPECT_FLOAT_EQ(change[1], -6);
}

// ... and single weights by what each of them says.
TEST(TrainGradient, IsRightWeightByWeight) {
  ThreadPool pool(1);
  Model model = must(Model::make({.width = 64, .hidden1 = 8, .hidden2 = 8}, 4));
  const Batch batch = batch_of(model.features(), 40, 2);
  Tensors gradient = model.zeros();
  Pass(model, fastest(), pool).learn(batch, gradient);
  std::mt19937_64 random(1);
  for (const Part part : {Part::rows, Part::row_bias, Part::weights1, Part::bias1, Part::weights2, Part::bias2,
                          Part::weights3, Part::bias3}) {
    int looked_at = 0;
    for (int tries = 0; tries < 20'000 && looked_at < 8; ++tries) {
      const std::size_t i = random() % gradient[part].size();
      const double slope = double{gradient[part][i]};
      if (std::abs(slope) < 1e-4) continue;
      ++looked_at;
      const float before = model.weights()[part][i];
      model.weights()[part][i] = before + 2e-3F;
      const double above = loss_of(model, batch, pool);
      model.weights()[part][i] = before - 2e-3F;
      const double below = loss_of(model, batch, pool);
      model.weights()[part][i] = before;
      EXPECT_NEAR((above - below) / 4e-3, slope, 0.03 * std::abs(slope) + 1e-4) << static_cast<int>(part) << " " << i;
    }
    EXPECT_GT(looked_at, 0) << static_cast<int>(part);
  }
}

Tensors weights_after(std::size_t threads, const FloatKernels& kernels, const char* features) {
  ThreadPool pool(threads);
  Learner learner(*Model::make({.features = features, .width = 64}, 8), {}, kernels, pool);
  for (std::uint64_t step = 0; step < 3; ++step) {
    learner.learn(batch_of(learner.model().features(), 2'100, step), 1e-3, 1e-3);
  }
  return learner.model().weights();
}

TEST(Learner, LearnsTheSameWithAnyNumberOfThreads) {
  for (const FloatKernels* kernels : float_kernels_here()) {
    EXPECT_EQ(weights_after(1, *kernels, "K+P"), weights_after(5, *kernels, "K+P")) << kernels->name;
  }
  const Tensors alone = weights_after(1, fastest(), "HalfKA_hm2");
  for (const std::size_t threads : {1U, 2U, 3U}) EXPECT_EQ(alone, weights_after(threads, fastest(), "HalfKA_hm2"));
}

TEST(Learner, InstructionSetsDifferInRoundingOnly) {
  const Tensors plain = weights_after(1, kPlainFloatKernels, "K+P");
  const Tensors fast = weights_after(1, fastest(), "K+P");
  for (const Part part : {Part::weights1, Part::bias3}) {
    for (std::size_t i = 0; i < plain[part].size(); ++i) ASSERT_NEAR(plain[part][i], fast[part][i], 2e-3);
  }
}

TEST(Learner, LearnsMaterialByHeart) {
  ThreadPool pool(2);
  Learner learner(*Model::make({.width = 64}, 1), {}, fastest(), pool);
  const Batch batch = batch_of(learner.model().features(), 512, 5);
  const double before = learner.learn(batch, 1e-2, 1e-2).positions;
  double after = before;
  for (int step = 0; step < 150; ++step) after = learner.learn(batch, 3e-3, 1e-2).positions;
  double least = 0;  // what even the best outputs leave
  for (const float target : batch.target) {
    const auto t = double{target};
    least += cross_entropy(std::log(t / (1 - t)), t) / static_cast<double>(batch.size());
  }
  EXPECT_GT(before, least + 0.05);
  EXPECT_LT(after, least + 0.01);
  // Weights have stayed within what the file can hold.
  for (std::size_t index = 0; index < kPartCount; ++index) {
    const auto part = static_cast<Part>(index);
    for (const float weight : learner.model().weights()[part])
      ASSERT_LE(std::abs(weight), static_cast<float>(learner.model().limit(part)));
  }
}

TEST(Model, RefusesShapesThatNoFileHas) {
  const auto error = [](const ModelShape& shape) { return error_of(Model::make(shape, 1)); };
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error({.width = 96}), "a width of 96 cannot be trained: a multiple of 64 up to 4096 can");
  EXPECT_EQ(error({.width = 0}), "a width of 0 cannot be trained: a multiple of 64 up to 4096 can");
  EXPECT_EQ(error({.hidden2 = 257}), "a hidden size of 257 cannot be trained: 1 to 256 can");
  EXPECT_EQ(error({.fv_scale = 0}), "an FV_SCALE of 0: 1 to 128");
  EXPECT_EQ(error({.features = "HalfKPE9"}),
            "features 'HalfKPE9' cannot be trained; HalfKP, K+P, HalfKP_vm, HalfKA1, HalfKA2, HalfKA_hm1, HalfKA_hm2, "
            "HalfKP_m9 can");
}

TEST(ThreadPool, DoesEachPartOnce) {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::size_t count : {0U, 1U, 3U, 100U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      pool.run(count, [&](std::size_t part, std::size_t worker) {
        EXPECT_LT(worker, threads);
        ++done[part];
      });
      for (const auto& times : done) ASSERT_EQ(times, 1);
    }
  }
}

}  // namespace
}  // namespace fuhyo::learn
