// Softmax, many values at a time. Pure; any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace fuhyo::mcts {

// e to the power of x, for x from -87 to 0; right to some millionths of itself.
inline float exp_of(float x) {
  const float power = std::max(x, -87.F) * 1.44269504F;
  const float whole = std::nearbyint(power);
  const float part = (power - whole) * 0.693147181F;
  const float curve = 1 + part * (1 + part * (0.5F + part * (1.F / 6 + part * (1.F / 24 + part * (1.F / 120)))));
  return curve * std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
}

// In place. No value may be infinite.
inline void softmax(std::span<float> values) {
  float highest = values.empty() ? 0 : values.front();
  for (const float value : values) highest = std::max(highest, value);
  float total = 0;
  for (float& value : values) value = exp_of(value - highest);
  for (const float value : values) total += value;
  for (float& value : values) value /= total;
}

}  // namespace fuhyo::mcts
