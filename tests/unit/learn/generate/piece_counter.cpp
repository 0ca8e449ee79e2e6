#include "tests/unit/learn/generate/piece_counter.h"

#include <cmath>

namespace fuhyo::learn {

std::expected<void, std::string> PieceCounter::evaluate(const nn::Batch& inputs, nn::Evaluations& out) {
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    std::uint64_t hash = 1;
    for (const nn::Plane& plane : inputs.planes(i)) hash = (hash ^ plane[0] ^ (plane[1] << 17U)) * 0x9e3779b97f4a7c15;
    float lead = 0;
    const auto scalars = inputs.scalars(i);
    for (std::size_t s = 0; s < 28; ++s) lead += scalars[s] - scalars[28 + s];
    out.value(i) = 1 / (1 + std::exp(-lead - bias_));
    const auto logits = out.logits(i);
    for (std::size_t label = 0; label < logits.size(); ++label) {
      logits[label] = static_cast<float>((hash >> (label % 50)) % 5);
    }
  }
  return {};
}

}  // namespace fuhyo::learn
