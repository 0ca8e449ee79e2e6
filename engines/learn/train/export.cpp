#include "engines/learn/train/export.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace fuhyo::learn {
namespace {

template <class Integer>
Integer rounded(double value) {
  constexpr double kLeast = std::numeric_limits<Integer>::min(), kMost = std::numeric_limits<Integer>::max();
  return static_cast<Integer>(std::lround(std::clamp(value, kLeast, kMost)));
}

nnue::ClassicLayer layer_of(const Model& model, std::size_t index, std::size_t inputs, std::size_t outputs) {
  const DenseShape& shape = model.layers()[index];
  const bool last = index == 2;
  const double unit = last ? output_weight(model.shape().fv_scale) : kHiddenWeight;
  const double bias_unit = unit * kActivation;
  nnue::ClassicLayer layer{.bias = {}, .weights = {}};
  for (std::size_t o = 0; o < outputs; ++o) {
    const double half = last ? 0 : kHiddenWeight / 2;
    layer.bias.push_back(rounded<std::int32_t>(double{model.weights()[shape.bias][o]} * bias_unit + half));
    for (std::size_t i = 0; i < inputs; ++i) {
      const float weight = model.weights()[shape.weights][i * shape.outputs + o];
      layer.weights.push_back(rounded<std::int8_t>(double{weight} * unit));
    }
  }
  return layer;
}

nnue::Architecture architecture_of(const Model& model) {
  const ModelShape& shape = model.shape();
  return {
      .features = &model.features().set(), .width = shape.width, .hidden1 = shape.hidden1, .hidden2 = shape.hidden2};
}

// Within what training keeps rows to.
bool has_small_rows(const nnue::ClassicWeights& network) {
  const auto small = [](std::int16_t value) { return std::abs(value) <= std::lround(kLargestRow * kActivation); };
  return std::ranges::all_of(network.rows, small) && std::ranges::all_of(network.biases, small);
}

void take_rows(Model& model, const nnue::ClassicWeights& network) {
  const std::size_t width = model.shape().width, inputs = model.features().inputs();
  const bool shares = model.features().shares();
  Floats& rows = model.weights()[Part::rows];
  Floats& shared = model.weights()[Part::shared];
  std::ranges::fill(shared, 0.0F);
  const std::size_t pieces = shares ? model.features().shared_pieces() : inputs;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    for (std::size_t column = 0; column < width; ++column) {
      double mean = 0;
      for (std::size_t input = piece; shares && input < inputs; input += pieces) {
        mean += network.rows[input * width + column] / kActivation / model.features().shared_places();
      }
      const double bound = model.limit(Part::shared);
      mean = std::clamp(mean, -bound, bound);
      if (shares) shared[piece * width + column] = static_cast<float>(mean);
      for (std::size_t input = piece; input < inputs; input += pieces) {
        rows[input * width + column] = static_cast<float>(network.rows[input * width + column] / kActivation - mean);
      }
    }
  }
  for (std::size_t column = 0; column < width; ++column) {
    model.weights()[Part::row_bias][column] = static_cast<float>(network.biases[column] / kActivation);
  }
}

void take_layer(Model& model, std::size_t index, std::size_t inputs, const nnue::ClassicLayer& layer) {
  const DenseShape& shape = model.layers()[index];
  const bool last = index == 2;
  const double unit = last ? output_weight(model.shape().fv_scale) : kHiddenWeight;
  const double half = last ? 0 : kHiddenWeight / 2;
  for (std::size_t o = 0; o < layer.bias.size(); ++o) {
    model.weights()[shape.bias][o] = static_cast<float>((layer.bias[o] - half) / (unit * kActivation));
    for (std::size_t i = 0; i < inputs; ++i) {
      model.weights()[shape.weights][i * shape.outputs + o] = static_cast<float>(layer.weights[o * inputs + i] / unit);
    }
  }
}

}  // namespace

nnue::ClassicWeights quantised(const Model& model) {
  const ModelShape& shape = model.shape();
  nnue::ClassicWeights out;
  out.shape = architecture_of(model);
  for (const float bias : model.weights()[Part::row_bias])
    out.biases.push_back(rounded<std::int16_t>(double{bias} * kActivation));
  const std::size_t count = std::size_t{model.features().inputs()} * shape.width;
  out.rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.rows.push_back(rounded<std::int16_t>(double{model.rows()[i]} * kActivation));
  }
  out.layers = {layer_of(model, 0, 2 * std::size_t{shape.width}, shape.hidden1),
                layer_of(model, 1, shape.hidden1, shape.hidden2), layer_of(model, 2, shape.hidden2, 1)};
  return out;
}

std::string network_file(const Model& model) { return nnue::classic_file(quantised(model)); }

std::expected<void, std::string> take_weights(Model& model, std::string_view file) {
  const auto network = nnue::read_classic_file(file, architecture_of(model));
  if (!network) return std::unexpected(network.error());
  if (!has_small_rows(*network)) return std::unexpected("its rows are larger than training can have them");
  take_rows(model, *network);
  const ModelShape& shape = model.shape();
  take_layer(model, 0, 2 * std::size_t{shape.width}, network->layers[0]);
  take_layer(model, 1, shape.hidden1, network->layers[1]);
  take_layer(model, 2, shape.hidden2, network->layers[2]);
  ThreadPool alone(1);
  model.refresh(alone);
  return {};
}

}  // namespace fuhyo::learn
