// Writes the file of a classic network, and reads its weights as they lie there. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nnue/net/architecture.h"

namespace fuhyo::nnue {

// Weights lie output by output, without padding: weights[output * inputs + input].
struct ClassicLayer {
  std::vector<std::int32_t> bias;
  std::vector<std::int8_t> weights;
};

struct ClassicWeights {
  Architecture shape;
  std::vector<std::int16_t> biases;  // shape.width
  std::vector<std::int16_t> rows;    // shape.features->inputs rows of shape.width
  std::array<ClassicLayer, 3> layers;
};

// The bytes of the file; sizes must be those of the shape, else it aborts.
std::string classic_file(const ClassicWeights& network);

// Of a file that must have this shape; an error says that it has not, or how it is damaged.
std::expected<ClassicWeights, std::string> read_classic_file(std::string_view bytes, const Architecture& shape);

}  // namespace fuhyo::nnue
