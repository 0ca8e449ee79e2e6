// Weights of 3x3 convolutions as Winograd's F(3x3, 3x3) multiplies by them (winograd.h). Pure; any thread.
#pragma once

#include <array>

#include "engines/nn/kernels.h"

namespace fuhyo::nn {

// The nine weights between an input and an output, [dy][dx], as the factors of kPoints products; computed in double.
std::array<float, kPoints> winograd_weights(const float* weights);

}  // namespace fuhyo::nn
