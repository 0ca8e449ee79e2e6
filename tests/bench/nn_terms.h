// What benchmarks of policy and value networks are told, and what they evaluate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nn/backend.h"

namespace fuhyo::bench {

// "1,8,16"
std::vector<std::string> split(std::string_view list);
// ... as numbers from 1 to 4,096.
std::vector<std::uint32_t> numbers(std::string_view list);
// Blocks x channels: "10x192".
std::optional<nn::Shape> shape_of(const std::string& net);

// Positions with about as many pieces as games have.
nn::Batch inputs(const nn::Shape& shape, std::uint32_t size);

}  // namespace fuhyo::bench
