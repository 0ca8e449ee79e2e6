// What benchmarks of policy and value networks are told, and what they evaluate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engines/nn/backend.h"

namespace fuhyo::bench {

// Blocks x channels: "10x192".
std::optional<nn::Shape> shape_of(const std::string& net);

// Positions with about as many pieces as games have.
nn::Batch inputs(const nn::Shape& shape, std::uint32_t size);

}  // namespace fuhyo::bench
