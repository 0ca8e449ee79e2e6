// Folds batch norms of training into the layer before them: into its weights and bias. Pure; any thread.
#pragma once

#include <vector>

#include "engines/nn/model.h"

namespace fuhyo::nn {

// y = (x - mean) / sqrt(variance + epsilon) * scale + shift, for each channel. All of one length.
struct BatchNorm {
  std::vector<float> scale, shift, mean, variance;
  double epsilon = 1e-5;

  // The factor and the offset of a channel.
  double factor(std::size_t channel) const;
  double offset(std::size_t channel) const;
};

// The norm as a layer.
Affine affine(const BatchNorm& norm);
// Folds the norm into the convolution, in double. An absent bias counts as zeros and is present afterwards.
void fold(const BatchNorm& norm, Convolution& convolution);
// ... the weights of a layer whose result is added to that of the convolution before the norm.
void fold(const BatchNorm& norm, Dense& dense);

}  // namespace fuhyo::nn
