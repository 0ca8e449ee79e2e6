#include "engines/nn/batch_norm.h"

#include <cmath>

namespace fuhyo::nn {
namespace {

void scale_rows(const BatchNorm& norm, std::vector<float>& weights, std::size_t rows) {
  const std::size_t length = weights.size() / rows;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(weights[i] * norm.factor(i / length));
  }
}

}  // namespace

double BatchNorm::factor(std::size_t channel) const {
  return scale[channel] / std::sqrt(static_cast<double>(variance[channel]) + epsilon);
}

double BatchNorm::offset(std::size_t channel) const { return shift[channel] - mean[channel] * factor(channel); }

Affine affine(const BatchNorm& norm) {
  Affine out;
  for (std::size_t channel = 0; channel < norm.scale.size(); ++channel) {
    out.scale.push_back(static_cast<float>(norm.factor(channel)));
    out.shift.push_back(static_cast<float>(norm.offset(channel)));
  }
  return out;
}

void fold(const BatchNorm& norm, Convolution& convolution) {
  scale_rows(norm, convolution.weights, convolution.outputs);
  convolution.bias.resize(convolution.outputs);
  for (std::size_t o = 0; o < convolution.outputs; ++o) {
    convolution.bias[o] = static_cast<float>(convolution.bias[o] * norm.factor(o) + norm.offset(o));
  }
}

void fold(const BatchNorm& norm, Dense& dense) { scale_rows(norm, dense.weights, dense.outputs); }

}  // namespace fuhyo::nn
