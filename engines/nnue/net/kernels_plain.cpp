// The kernels in plain C++, for any machine, and the definition of what the other ones compute.
#include <cstring>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {

std::int16_t wrapped(int value) { return static_cast<std::int16_t>(static_cast<std::uint16_t>(value)); }

void update(const std::int16_t* base, std::int16_t* out, std::size_t width, const std::int16_t* const* add,
            std::size_t add_count, const std::int16_t* const* sub, std::size_t sub_count) {
  if (out != base) std::memcpy(out, base, width * sizeof(std::int16_t));
  for (std::size_t k = 0; k < add_count; ++k) {
    const std::int16_t* row = add[k];
    for (std::size_t i = 0; i < width; ++i) out[i] = wrapped(out[i] + row[i]);
  }
  for (std::size_t k = 0; k < sub_count; ++k) {
    const std::int16_t* row = sub[k];
    for (std::size_t i = 0; i < width; ++i) out[i] = wrapped(out[i] - row[i]);
  }
}

int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

void dense(const DenseLayer& layer, const std::uint8_t* in, std::int32_t* out) {
  for (std::size_t o = 0; o < layer.outputs; ++o) out[o] = layer.bias[o];
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    if (in[i] == 0) continue;
    const std::int8_t* weights = layer.weights + i / 4 * layer.outputs * 4 + i % 4;
    for (std::size_t o = 0; o < layer.outputs; ++o) out[o] += weights[o * 4] * in[i];
  }
}

void clip(const std::int32_t* in, std::uint8_t* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(clamp(in[i] >> 6, 127));
}

// From the inputs of the second layer, which are `stack.second.inputs` bytes, to the result.
std::int32_t finish(const LayerStack& stack, const std::uint8_t* in) {
  std::int32_t sums[kMaxHidden] = {};
  std::uint8_t hidden[kMaxHidden] = {};
  dense(stack.second, in, sums);
  clip(sums, hidden, stack.second.outputs);
  std::int32_t value = stack.last_bias;
  for (std::size_t i = 0; i < stack.last_inputs; ++i) value += stack.last_weights[i] * hidden[i];
  return value;
}

std::int32_t classic(const LayerStack& stack, std::size_t width, const std::int16_t* own, const std::int16_t* other) {
  std::uint8_t in[kMaxInputs] = {};
  for (std::size_t i = 0; i < width; ++i) {
    in[i] = static_cast<std::uint8_t>(clamp(own[i], 127));
    in[width + i] = static_cast<std::uint8_t>(clamp(other[i], 127));
  }
  std::int32_t sums[kMaxHidden] = {};
  std::uint8_t hidden[kMaxHidden] = {};
  dense(stack.first, in, sums);
  clip(sums, hidden, stack.first.outputs);
  return finish(stack, hidden);
}

void multiply_halves(const std::int16_t* sums, std::size_t half, std::uint8_t* out) {
  for (std::size_t i = 0; i < half; ++i) {
    out[i] = static_cast<std::uint8_t>((clamp(sums[i], 254) * clamp(sums[half + i], 254)) >> 9);
  }
}

std::int32_t pairwise(const LayerStack& stack, std::size_t width, const std::int16_t* own, const std::int16_t* other) {
  std::uint8_t in[kMaxInputs] = {};
  multiply_halves(own, width / 2, in);
  multiply_halves(other, width / 2, in + width / 2);
  std::int32_t sums[kMaxHidden] = {};
  std::uint8_t hidden[2 * kMaxHidden] = {};
  dense(stack.first, in, sums);
  for (std::size_t i = 0; i < stack.hidden; ++i) {
    const std::int64_t square = (std::int64_t{sums[i]} * sums[i]) >> 19;
    hidden[i] = static_cast<std::uint8_t>(square > 127 ? 127 : square);
  }
  clip(sums, hidden + stack.hidden, stack.hidden);
  return finish(stack, hidden) + (stack.shortcut ? sums[stack.hidden] : 0);
}

}  // namespace

const Kernels kPlainKernels = {"plain", update, classic, pairwise};

}  // namespace fuhyo::nnue
