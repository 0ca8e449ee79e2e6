// What benchmarks of policy and value networks are told, and what they evaluate.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "engines/nn/backend.h"

namespace fuhyo::bench {

// Blocks x channels: "10x192".
inline std::optional<nn::Shape> shape_of(const std::string& net) {
  nn::Shape shape;
  if (std::sscanf(net.c_str(), "%ux%u", &shape.blocks, &shape.channels) != 2 || !shape.fault().empty()) return {};
  return shape;
}

// Positions with about as many pieces as games have.
inline nn::Batch inputs(const nn::Shape& shape, std::uint32_t size) {
  nn::Batch batch(shape, size);
  std::uint64_t random = 1;
  while (batch.size() < size) {
    const std::uint32_t i = batch.add();
    for (nn::Plane& plane : batch.planes(i)) {
      for (int piece = 0; piece < 6; ++piece) {
        random = random * 6364136223846793005 + 1442695040888963407;
        const std::uint64_t square = (random >> 33) % shape.squares();
        plane[square / 64] |= std::uint64_t{1} << (square % 64);
      }
    }
    for (float& scalar : batch.scalars(i)) scalar = static_cast<float>(random >> 40 & 1);
  }
  return batch;
}

}  // namespace fuhyo::bench
