// The file of a model: what the engine computes from it against the same integers in plain loops, bit by bit, and
// against the model's floats, within what rounding may cost.
#include "engines/learn/train/export.h"

#include <cmath>
#include <sstream>

#include "engines/learn/train/choice.h"
#include "engines/learn/train/learner.h"
#include "engines/nnue/net/choice.h"
#include "engines/nnue/net/evaluator.h"
#include "engines/nnue/net/untrained.h"
#include "games.h"
#include "tests/support/sanitized.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

// From the sums of both sides on, as the format says.
std::int32_t naive_output(const nnue::ClassicWeights& net, const Features& features, const Sample& sample) {
  const auto turn = static_cast<shogi::Color>(sample.turn);
  std::vector<std::int32_t> in;
  for (const shogi::Color side : {turn, ~turn}) {
    std::vector<std::uint32_t> on(features.active());
    features.list(sample, side, false, on.data());
    for (std::size_t i = 0; i < net.shape.width; ++i) {
      std::int32_t sum = net.biases[i];
      for (const std::uint32_t input : on) {
        if (input != features.nothing()) sum += net.rows[input * net.shape.width + i];
      }
      EXPECT_LE(std::abs(sum), 32'767) << "a sum that leaves 16 bits";
      in.push_back(std::clamp(sum, 0, 127));
    }
  }
  for (std::size_t l = 0; l < 3; ++l) {
    std::vector<std::int32_t> out;
    for (std::size_t o = 0; o < net.layers[l].bias.size(); ++o) {
      std::int32_t sum = net.layers[l].bias[o];
      for (std::size_t i = 0; i < in.size(); ++i) sum += net.layers[l].weights[o * in.size() + i] * in[i];
      out.push_back(l < 2 ? std::clamp(sum >> 6, 0, 127) : sum);
    }
    in = std::move(out);
  }
  return in[0];
}

std::shared_ptr<const nnue::Network> load(const Model& model) {
  const std::string file = network_file(model);
  std::istringstream in(file);
  const auto network = nnue::Network::read(in, file.size(), "trained");
  EXPECT_TRUE(network) << network.error();
  EXPECT_EQ((*network)->remark(), "");
  EXPECT_EQ((*network)->architecture().features, &model.features().set());
  return *network;
}

struct Difference {
  double mean = 0, most = 0;
};

// Of the engine's value and the model's.
Difference compare(const Model& model, const std::vector<shogi::Position>& positions) {
  const auto network = load(model);
  const nnue::ClassicWeights integers = quantised(model);
  nnue::Evaluator evaluator(network, **nnue::choose_kernels("auto"));
  ThreadPool pool(1);
  Batch batch;
  batch.resize(positions.size(), model.features());
  std::vector<double> values;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto sample = sample_of(positions[i]);
    evaluator.reset(positions[i]);
    const std::int32_t raw = evaluator.raw(positions[i]);
    EXPECT_EQ(raw, naive_output(integers, model.features(), *sample)) << positions[i].sfen();
    values.push_back(double{static_cast<float>(raw)} / model.shape().fv_scale);
    batch.set(i, *sample, false, 1, model.features());
  }
  std::vector<float> y(positions.size());
  Pass(model, *float_kernels_here().front(), pool).evaluate(batch, y);
  Difference difference;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double off = std::abs(values[i] - kValueUnit * double{y[i]});
    difference.mean += off / static_cast<double>(y.size());
    difference.most = std::max(difference.most, off);
  }
  return difference;
}

// A model that knows something, so that its values are large and its hidden values at their limits.
void teach(Learner& learner, int steps) {
  const auto positions = test::positions_of_games(3, 500);
  Batch batch;
  batch.resize(positions.size(), learner.model().features());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const int score = std::clamp(test::material(positions[i]), -3'000, 3'000);
    batch.set(i, *sample_of(positions[i], static_cast<std::int16_t>(score)), false, 1, learner.model().features());
  }
  for (int step = 0; step < steps; ++step) learner.learn(batch, 2e-3, 2e-3);
}

TEST(NetworkFile, SaysWhatTheModelSays) {
  const std::pair<ModelShape, int> kCases[] = {
      {{}, 0},
      {{}, 60},
      {{.hidden1 = 16, .fv_scale = 24}, 20},
      {{.features = "HalfKP", .width = 64, .hidden1 = 8, .hidden2 = 64}, 10},
      {{.features = "HalfKP_m9", .width = 128}, 20},
  };
  for (const auto& [shape, steps] : kCases) {
    ThreadPool pool(2);
    Learner learner(*Model::make(shape, 1), {}, *float_kernels_here().front(), pool);
    teach(learner, steps);
    std::vector<shogi::Position> positions = test::positions_of_games(77, test::kSanitized ? 10 : 100);
    positions.push_back(position_of("4k4/9/9/9/9/9/9/9/4K4 b - 1"));
    positions.push_back(position_of("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"));
    positions.push_back(position_of("4k4/9/4P4/9/9/9/9/9/9 b 2R2B4G4S4N4L17p 1"));
    const Difference difference = compare(learner.model(), positions);
    EXPECT_LT(difference.mean, 25) << shape.features << " after " << steps << " steps";
    EXPECT_LT(difference.most, 100) << shape.features << " after " << steps << " steps";
  }
}

// A file of weights that were read out of a file is that file; where rows are shared, but for rounding.
TEST(NetworkFile, IsWhereTrainingMayBegin) {
  for (const ModelShape& shape :
       {ModelShape{.width = 64, .hidden1 = 8, .fv_scale = 24}, ModelShape{.features = "HalfKP_m9", .width = 64}}) {
    ThreadPool pool(1);
    Learner learner(*Model::make(shape, 1), {}, *float_kernels_here().front(), pool);
    teach(learner, 5);
    const std::string file = network_file(learner.model());
    Model other = *Model::make(shape, 2);
    ASSERT_NE(network_file(other), file);
    must(take_weights(other, file));
    if (!other.features().shares()) {
      EXPECT_EQ(network_file(other), file);
    } else {
      const auto before = quantised(learner.model()), after = quantised(other);
      EXPECT_EQ(before.layers[0].weights, after.layers[0].weights);
      for (std::size_t i = 0; i < before.rows.size(); ++i) ASSERT_NEAR(before.rows[i], after.rows[i], 1) << i;
    }
    EXPECT_FALSE(take_weights(other, file.substr(0, file.size() - 1)));
    Model wider = *Model::make({.features = shape.features, .width = 128}, 2);
    EXPECT_EQ(error_of(take_weights(wider, file)), "no network " + shape.features + " 128x2-32-32");
  }
}

TEST(NetworkFile, OfTheUntrainedNetworkIsNothingToBeginWith) {
  Model model = *Model::make({}, 1);
  EXPECT_EQ(error_of(take_weights(model, nnue::untrained_network())),
            "its rows are larger than training can have them");
}

TEST(NetworkFile, HoldsTheLargestWeights) {
  ThreadPool pool(1);
  Model model = *Model::make({.features = "HalfKP_vm", .width = 64}, 1);
  for (std::size_t index = 0; index < kPartCount; ++index) {
    const auto part = static_cast<Part>(index);
    if (part == Part::bias1 || part == Part::bias2 || part == Part::bias3) continue;
    std::ranges::fill(model.weights()[part], static_cast<float>(model.limit(part)));
  }
  model.refresh(pool);
  const nnue::ClassicWeights integers = quantised(model);
  for (const auto& layer : integers.layers) EXPECT_EQ(layer.weights[0], 127);
  EXPECT_EQ(integers.biases[0], 799);
  EXPECT_LE(integers.rows[0], 799);  // 41 of them are 32,759
  EXPECT_GE(integers.rows[0], 767);
  for (const shogi::Position& position : test::positions_of_games(5, 5))
    naive_output(integers, model.features(), *sample_of(position));
}

TEST(Batch, MirroredPositionsAreThoseOfTheMirroredBoard) {
  for (const char* name : {"K+P", "HalfKP", "HalfKP_vm", "HalfKA_hm2", "HalfKA1", "HalfKP_m9"}) {
    const Features features = *Features::of(name);
    for (const auto& [sfen, mirror] :
         {std::pair{"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
                    "ln6l/kg1+P5/3S1pn2/pP4p1p/1pS2P3/P1P2bPP1/1SG5P/8R/LKb4NL w RGgsn5p 1"},
          std::pair{"4k4/9/9/9/9/9/PPP6/1K7/9 b - 1", "4k4/9/9/9/9/9/6PPP/7K1/9 b - 1"}}) {
      const auto left = *sample_of(position_of(sfen)), right = *sample_of(position_of(mirror));
      for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
        std::vector<std::uint32_t> a(features.active()), b(features.active());
        features.list(left, side, true, a.data());
        features.list(right, side, false, b.data());
        EXPECT_THAT(a, testing::UnorderedElementsAreArray(b)) << name << " " << sfen;
      }
    }
  }
}

// Whatever the order, each position is there once, with its target.
TEST(Batch, IsFilledWithAllPositions) {
  const auto positions = test::positions_of_games(4, 300);
  std::vector<Sample> samples;
  std::vector<std::uint8_t> mirrored;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    samples.push_back(*sample_of(positions[i], static_cast<std::int16_t>(10 * i), 1));
    mirrored.push_back(i % 3 == 0);
  }
  for (const char* name : {"K+P", "HalfKP_m9", "HalfKP"}) {
    const Features features = *Features::of(name);
    Batch one_by_one, filled;
    one_by_one.resize(samples.size(), features);
    for (std::size_t i = 0; i < samples.size(); ++i) one_by_one.set(i, samples[i], mirrored[i] != 0, 0.5, features);
    filled.fill(samples, mirrored, 0.5, features);
    const auto rows = [&](const Batch& batch) {
      std::vector<std::pair<float, std::vector<std::uint32_t>>> all;
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto from = static_cast<std::ptrdiff_t>(i * features.active());
        const auto to = from + static_cast<std::ptrdiff_t>(features.active());
        std::vector<std::uint32_t> on(batch.own.begin() + from, batch.own.begin() + to);
        on.insert(on.end(), batch.other.begin() + from, batch.other.begin() + to);
        all.emplace_back(batch.target[i], on);
      }
      std::ranges::sort(all);
      return all;
    };
    EXPECT_EQ(rows(one_by_one), rows(filled)) << name;
    int changes = 0;  // of the own king's place
    for (std::size_t i = 1; i < filled.size(); ++i) {
      changes += filled.own[i * features.active()] / features.set().stride !=
                 filled.own[(i - 1) * features.active()] / features.set().stride;
    }
    EXPECT_LT(changes, static_cast<int>(std::max(features.shared_places(), 1U))) << name;
  }
}

}  // namespace
}  // namespace fuhyo::learn
