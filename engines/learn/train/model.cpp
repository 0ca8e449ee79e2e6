#include "engines/learn/train/model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "engines/learn/train/kernels.h"
#include "engines/match/tune/random.h"
#include "engines/nnue/net/kernels.h"

namespace fuhyo::learn {
namespace {

using Random = match::tune::Random;

constexpr std::size_t padded(std::size_t size) { return (size + kColumns - 1) / kColumns * kColumns; }

// Of a row while some of it is shared: own part, the piece's and the place's together stay within kLargestRow.
constexpr double kOwnPart = kLargestRow * 0.48, kPiecePart = kLargestRow * 0.48;

}  // namespace

std::string fault_of(const ModelShape& shape) {
  if (const auto features = Features::of(shape.features); !features) return features.error();
  using nnue::kMaxHidden, nnue::kMaxInputs, nnue::kWidthUnit;
  if (shape.width == 0 || shape.width % kWidthUnit != 0 || 2 * shape.width > kMaxInputs) {
    return fmt::format("a width of {} cannot be trained: a multiple of {} up to {} can", shape.width, kWidthUnit,
                       kMaxInputs / 2);
  }
  for (const std::uint32_t hidden : {shape.hidden1, shape.hidden2}) {
    if (hidden == 0 || hidden > kMaxHidden)
      return fmt::format("a hidden size of {} cannot be trained: 1 to {} can", hidden, kMaxHidden);
  }
  if (shape.fv_scale < 1 || shape.fv_scale > 128) return fmt::format("an FV_SCALE of {}: 1 to 128", shape.fv_scale);
  return {};
}

Model::Model(const ModelShape& shape, const Features& features)
    : shape_(shape),
      features_(features),
      layers_{{{2 * std::size_t{shape.width}, padded(shape.hidden1), Part::weights1, Part::bias1},
               {padded(shape.hidden1), padded(shape.hidden2), Part::weights2, Part::bias2},
               {padded(shape.hidden2), kColumns, Part::weights3, Part::bias3}}} {
  const std::size_t width = shape.width, rows = std::size_t{features_.inputs()} + 1;
  weights_[Part::rows].resize(rows * width);
  weights_[Part::shared].resize(features_.shared_rows() * width);
  weights_[Part::row_bias].resize(width);
  if (features_.shares()) sums_.resize(rows * width);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    weights_[layers_[i].weights].resize(layers_[i].inputs * layers_[i].outputs);
    weights_[layers_[i].bias].resize(layers_[i].outputs);
    turned_[i].resize(layers_[i].outputs * turned_stride(i));
  }
}

std::expected<Model, std::string> Model::make(const ModelShape& shape, std::uint64_t seed) {
  if (std::string fault = fault_of(shape); !fault.empty()) return std::unexpected(std::move(fault));
  Model model(shape, *Features::of(shape.features));
  model.draw(seed);
  ThreadPool alone(1);
  model.refresh(alone);
  return model;
}

void Model::draw(std::uint64_t seed) {
  // What is shared begins with all of it: a place that was never seen then knows what the others do.
  Floats& rows = weights_[features_.shares() ? Part::shared : Part::rows];
  const std::size_t pieces = features_.shares() ? features_.shared_pieces() : features_.inputs();
  Random random(seed, 0);
  // Little: what is rarely seen keeps it as noise.
  const double deviation = 0.1 / std::sqrt(static_cast<double>(features_.active()));
  for (std::size_t i = 0; i < pieces * shape_.width; ++i) rows[i] = static_cast<float>(deviation * random.normal());
  std::ranges::fill(weights_[Part::row_bias], 0.5F);
  draw_layer(0, layers_[0].inputs, shape_.hidden1, seed);
  draw_layer(1, shape_.hidden1, shape_.hidden2, seed);
  draw_layer(2, shape_.hidden2, 1, seed);
}

// Biases make up for the mean of the inputs, a half, and put the outputs of hidden layers there, too.
void Model::draw_layer(std::size_t layer, std::size_t inputs, std::size_t outputs, std::uint64_t seed) {
  const bool last = layer == 2;
  const DenseShape& shape = layers_[layer];
  Random random(seed, layer + 1);
  const double deviation = (last ? 0.1 : 1) / std::sqrt(static_cast<double>(inputs));
  for (std::size_t o = 0; o < outputs; ++o) {
    double sum = 0;
    for (std::size_t i = 0; i < inputs; ++i) {
      const double bound = limit(shape.weights);
      const double weight = std::clamp(deviation * random.normal(), -bound, bound);
      weights_[shape.weights][i * shape.outputs + o] = static_cast<float>(weight);
      sum += weight;
    }
    weights_[shape.bias][o] = static_cast<float>((last ? 0 : 0.5) - sum / 2);
  }
}

Tensors Model::zeros() const {
  Tensors zeros;
  for (std::size_t part = 0; part < kPartCount; ++part) {
    zeros[static_cast<Part>(part)].resize(weights_[static_cast<Part>(part)].size());
  }
  return zeros;
}

double Model::limit(Part part) const {
  switch (part) {
    case Part::rows:
      return features_.shares() ? kOwnPart : kLargestRow;
    case Part::shared:
      return kPiecePart;
    case Part::row_bias:
      return kLargestRow;
    case Part::weights1:
    case Part::weights2:
      return 127 / kHiddenWeight;
    case Part::weights3:
      return 127 / output_weight(shape_.fv_scale);
    default:
      return std::numeric_limits<float>::max();
  }
}

void Model::add_shared(std::size_t place) {
  const std::size_t width = shape_.width, pieces = features_.shared_pieces();
  const float* own = weights_[Part::rows].data() + place * pieces * width;
  const float* shared = weights_[Part::shared].data();
  const float* of_place = shared + (pieces + place) * width;
  float* sum = sums_.data() + place * pieces * width;
  const float share = place_share();
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    for (std::size_t i = 0; i < width; ++i) {
      sum[piece * width + i] = own[piece * width + i] + shared[piece * width + i] + of_place[i] * share;
    }
  }
}

void Model::refresh(ThreadPool& pool) {
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const auto [inputs, outputs, weights, bias] = layers_[layer];
    for (std::size_t i = 0; i < inputs; ++i) {
      for (std::size_t o = 0; o < outputs; ++o) {
        turned_[layer][o * turned_stride(layer) + i] = weights_[weights][i * outputs + o];
      }
    }
  }
  pool.run(features_.shared_places(), [this](std::size_t place, std::size_t /*worker*/) { add_shared(place); });
}

}  // namespace fuhyo::learn
