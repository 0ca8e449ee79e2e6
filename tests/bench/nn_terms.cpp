#include "tests/bench/nn_terms.h"

#include <algorithm>
#include <cstdio>

namespace fuhyo::bench {

std::optional<nn::Shape> shape_of(const std::string& net) {
  nn::Shape shape;
  if (std::sscanf(net.c_str(), "%ux%u", &shape.blocks, &shape.channels) != 2 || !shape.fault().empty()) return {};
  return shape;
}

nn::Batch inputs(const nn::Shape& shape, std::uint32_t size) {
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
