// Batch norms of training, folded into the layer before them: what remains is weights and a bias. Pure; any thread.
#pragma once

#include <vector>

#include "engines/nn/model.h"

namespace fuhyo::nn {

// y = (x - mean) / sqrt(variance + epsilon) * scale + shift, for each channel. All of one length.
struct BatchNorm {
  std::vector<float> scale, shift, mean, variance;
  double epsilon = 1e-5;

  // What a channel is multiplied by, and what is added to it then.
  double factor(std::size_t channel) const;
  double offset(std::size_t channel) const;
};

// The norm by itself.
Affine affine(const BatchNorm& norm);
// The convolution followed by the norm, computed in double. An absent bias counts as zeros and is there afterwards.
void fold(const BatchNorm& norm, Convolution& convolution);
// ... the weights of a layer whose result is added to that of the convolution before the norm.
void fold(const BatchNorm& norm, Dense& dense);

}  // namespace fuhyo::nn
