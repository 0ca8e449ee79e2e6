// The activation after a layer: max(x, 0), or x / (1 + e^-x).
#pragma once

#include <cstdint>

namespace fuhyo::nn {

enum class Activation : std::uint8_t { relu, silu };

}  // namespace fuhyo::nn
