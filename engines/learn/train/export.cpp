#include "engines/learn/train/export.h"

#include <algorithm>
#include <cmath>
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

}  // namespace

nnue::ClassicWeights quantised(const Model& model) {
  const ModelShape& shape = model.shape();
  nnue::ClassicWeights out;
  out.shape = {
      .features = &model.features().set(), .width = shape.width, .hidden1 = shape.hidden1, .hidden2 = shape.hidden2};
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

}  // namespace fuhyo::learn
