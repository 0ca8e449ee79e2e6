// The kernels over a small vector type. Each source file of an instruction set defines that type in its own anonymous
// namespace, then includes this; everything here is in an anonymous namespace too, and no header of the library with
// inline functions may be included: a function that the linker merges with the one of another file would bring
// instructions there that the machine may not have.
//
// The file before it defines, for vectors of kBytes bytes:
//   Vec, load, store (aligned), add16, sub16, add32, set32 (one value in all), sum32 (of all lanes),
//   dot (acc32 += four u8 of x, at most 127, by four i8 of w), dot2 (the same of two pairs at once, if the layer's
//   weights let sums of two products of each have 16 bits: DenseLayer::pairs), clip_pack (two of i16 to one of u8,
//   0..127, in order), multiply_pack (two of i16 by two more, each clipped to 0..254, >> 9, to one of u8, in order),
//   clip16 (16 of i32 >> 6 to 16 of u8, 0..127), nonzero_blocks (of 32 bytes: a bit for each four that are not all 0).
#pragma once

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {  // NOLINT(cert-dcl59-cpp): see above

constexpr std::size_t kShorts = kBytes / 2;
constexpr std::size_t kInts = kBytes / 4;

// ---- the transformer ----

// Tiles of sums stay in registers while all rows pass by.
template <std::size_t Tile>
inline void update_tile(const std::int16_t* base, std::int16_t* out, std::size_t at, const std::int16_t* const* add,
                        std::size_t add_count, const std::int16_t* const* sub, std::size_t sub_count) {
  Vec sums[Tile];
  for (std::size_t v = 0; v < Tile; ++v) sums[v] = load(base + at + v * kShorts);
  for (std::size_t k = 0; k < add_count; ++k) {
    for (std::size_t v = 0; v < Tile; ++v) sums[v] = add16(sums[v], load(add[k] + at + v * kShorts));
  }
  for (std::size_t k = 0; k < sub_count; ++k) {
    for (std::size_t v = 0; v < Tile; ++v) sums[v] = sub16(sums[v], load(sub[k] + at + v * kShorts));
  }
  for (std::size_t v = 0; v < Tile; ++v) store(out + at + v * kShorts, sums[v]);
}

// A move that captures nothing, and one that does: nearly all there are.
template <std::size_t Count>
inline void exchange(const std::int16_t* base, std::int16_t* out, std::size_t width, const std::int16_t* const* add,
                     const std::int16_t* const* sub) {
  const std::int16_t *added[Count], *taken[Count];
  for (std::size_t k = 0; k < Count; ++k) {
    added[k] = add[k];
    taken[k] = sub[k];
  }
  for (std::size_t at = 0; at < width; at += 2 * kShorts) {
    Vec low = load(base + at), high = load(base + at + kShorts);
    for (std::size_t k = 0; k < Count; ++k) {
      low = sub16(add16(low, load(added[k] + at)), load(taken[k] + at));
      high = sub16(add16(high, load(added[k] + at + kShorts)), load(taken[k] + at + kShorts));
    }
    store(out + at, low);
    store(out + at + kShorts, high);
  }
}

void update(const std::int16_t* base, std::int16_t* out, std::size_t width, const std::int16_t* const* add,
            std::size_t add_count, const std::int16_t* const* sub, std::size_t sub_count) {
  if (add_count == 1 && sub_count == 1) return exchange<1>(base, out, width, add, sub);
  if (add_count == 2 && sub_count == 2) return exchange<2>(base, out, width, add, sub);
  constexpr std::size_t kTile = 8;
  std::size_t at = 0;
  for (; at + kTile * kShorts <= width; at += kTile * kShorts) {
    update_tile<kTile>(base, out, at, add, add_count, sub, sub_count);
  }
  for (; at < width; at += kShorts) update_tile<1>(base, out, at, add, add_count, sub, sub_count);
}

// ---- layers ----

// Which blocks of four inputs are not all 0, 64 to a word. A quarter of the inputs of a trained first layer or more
// are.
inline std::uint64_t find_blocks(const std::uint8_t* in, std::size_t bytes) {
  std::uint64_t found = 0;
  for (std::size_t at = 0; at < bytes; at += 32) found |= std::uint64_t{nonzero_blocks(in + at)} << (at / 4);
  return found;
}

inline Vec four_inputs(const std::uint8_t* in) {
  std::int32_t four;
  __builtin_memcpy(&four, in, sizeof four);
  return set32(four);
}

// Two blocks at once: dot2 may add products of both before they have 32 bits.
template <std::size_t Tile, bool Pairs>
inline void add_two(Vec* sums, const std::uint8_t* in, const std::int8_t* weights, std::size_t outputs,
                    std::size_t first, std::size_t second) {
  const Vec x = four_inputs(in + first * 4), y = four_inputs(in + second * 4);
  const std::int8_t *row = weights + first * outputs * 4, *other = weights + second * outputs * 4;
  for (std::size_t v = 0; v < Tile; ++v) {
    const Vec w = load(row + v * kBytes), u = load(other + v * kBytes);
    sums[v] = Pairs ? dot2(sums[v], x, w, y, u) : dot(dot(sums[v], x, w), y, u);
  }
}

template <std::size_t Tile>
inline void add_one(Vec* sums, const std::uint8_t* in, const std::int8_t* weights, std::size_t outputs,
                    std::size_t block) {
  const Vec x = four_inputs(in + block * 4);
  const std::int8_t* row = weights + block * outputs * 4;
  for (std::size_t v = 0; v < Tile; ++v) sums[v] = dot(sums[v], x, load(row + v * kBytes));
}

// Tile vectors of outputs from `at`, of a layer whose inputs are mostly 0.
template <std::size_t Tile, bool Pairs>
inline void sparse_tile(const DenseLayer& layer, std::size_t outputs, std::size_t at, const std::uint8_t* in,
                        const std::uint64_t* words, std::int32_t* out) {
  Vec sums[Tile];
  for (std::size_t v = 0; v < Tile; ++v) sums[v] = load(layer.bias + at + v * kInts);
  const std::int8_t* weights = layer.weights + at * 4;
  for (std::size_t begin = 0; begin < layer.inputs; begin += 256) {
    const std::uint8_t* part = in + begin;
    const std::int8_t* rows = weights + begin * outputs;
    std::uint64_t blocks = words[begin / 256];
    while ((blocks & (blocks - 1)) != 0) {
      const auto first = static_cast<std::size_t>(__builtin_ctzll(blocks));
      blocks &= blocks - 1;
      const auto second = static_cast<std::size_t>(__builtin_ctzll(blocks));
      blocks &= blocks - 1;
      add_two<Tile, Pairs>(sums, part, rows, outputs, first, second);
    }
    if (blocks != 0) {
      add_one<Tile>(sums, part, rows, outputs, static_cast<std::size_t>(__builtin_ctzll(blocks)));
    }
  }
  for (std::size_t v = 0; v < Tile; ++v) store(out + at + v * kInts, sums[v]);
}

// ... of a layer with few inputs.
template <std::size_t Tile>
inline void dense_tile(const DenseLayer& layer, std::size_t inputs, std::size_t outputs, std::size_t at,
                       const std::uint8_t* in, std::int32_t* out) {
  Vec sums[Tile];
  for (std::size_t v = 0; v < Tile; ++v) sums[v] = load(layer.bias + at + v * kInts);
  for (std::size_t block = 0; block < inputs / 4; ++block) {
    add_one<Tile>(sums, in, layer.weights + at * 4, outputs, block);
  }
  for (std::size_t v = 0; v < Tile; ++v) store(out + at + v * kInts, sums[v]);
}

template <bool Pairs>
inline void sparse(const DenseLayer& layer, const std::uint8_t* in, const std::uint64_t* words, std::int32_t* out) {
  const std::size_t outputs = layer.outputs;
  std::size_t at = 0;
  for (; at + 8 * kInts <= outputs; at += 8 * kInts) sparse_tile<8, Pairs>(layer, outputs, at, in, words, out);
  for (; at + 4 * kInts <= outputs; at += 4 * kInts) sparse_tile<4, Pairs>(layer, outputs, at, in, words, out);
  for (; at + 2 * kInts <= outputs; at += 2 * kInts) sparse_tile<2, Pairs>(layer, outputs, at, in, words, out);
  for (; at < outputs; at += kInts) sparse_tile<1, Pairs>(layer, outputs, at, in, words, out);
}

inline void first_layer(const DenseLayer& layer, const std::uint8_t* in, std::int32_t* out) {
  std::uint64_t words[(kMaxInputs + 255) / 256];
  for (std::size_t at = 0; at < layer.inputs; at += 256) {
    const std::size_t left = layer.inputs - at;
    words[at / 256] = find_blocks(in + at, left < 256 ? left : 256);
  }
  if (layer.pairs) {
    sparse<true>(layer, in, words, out);
  } else {
    sparse<false>(layer, in, words, out);
  }
}

inline void second_layer(const DenseLayer& layer, const std::uint8_t* in, std::int32_t* out) {
  const std::size_t inputs = layer.inputs, outputs = layer.outputs;
  std::size_t at = 0;
  for (; at + 4 * kInts <= outputs; at += 4 * kInts) dense_tile<4>(layer, inputs, outputs, at, in, out);
  for (; at < outputs; at += kInts) dense_tile<1>(layer, inputs, outputs, at, in, out);
}

// `count` is a multiple of kOutputUnit.
inline void clip(const std::int32_t* in, std::uint8_t* out, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kOutputUnit) clip16(in + i, out + i);
}

inline std::int32_t last(const LayerStack& stack, std::size_t inputs, const std::uint8_t* in) {
  Vec sum = set32(0);
  for (std::size_t at = 0; at < inputs; at += kBytes) sum = dot(sum, load(in + at), load(stack.last_weights + at));
  return stack.last_bias + sum32(sum);
}

// From the inputs of the second layer to the result.
inline std::int32_t finish(const LayerStack& stack, const std::uint8_t* in) {
  alignas(64) std::int32_t sums[kMaxHidden];
  alignas(64) std::uint8_t hidden[kMaxHidden];
  second_layer(stack.second, in, sums);
  clip(sums, hidden, stack.second.outputs);
  for (std::size_t i = stack.second.outputs; i < stack.last_inputs; ++i) hidden[i] = 0;
  return last(stack, stack.last_inputs, hidden);
}

inline void clip_sums(const std::int16_t* own, const std::int16_t* other, std::size_t width, std::uint8_t* in) {
  for (std::size_t at = 0; at < width; at += kBytes) {
    store(in + at, clip_pack(load(own + at), load(own + at + kShorts)));
    store(in + width + at, clip_pack(load(other + at), load(other + at + kShorts)));
  }
}

[[gnu::noinline]] std::int32_t classic_of_any_size(const LayerStack& stack, std::size_t width, const std::int16_t* own,
                                                   const std::int16_t* other) {
  alignas(64) std::uint8_t in[kMaxInputs];
  clip_sums(own, other, width, in);
  alignas(64) std::int32_t sums[kMaxHidden];
  alignas(64) std::uint8_t hidden[kMaxHidden];
  first_layer(stack.first, in, sums);
  clip(sums, hidden, stack.first.outputs);
  return finish(stack, hidden);
}

// The most common size, known to the compiler.
template <bool Pairs>
[[gnu::noinline]] std::int32_t classic_256_32_32(const LayerStack& stack, const std::int16_t* own,
                                                 const std::int16_t* other) {
  alignas(64) std::uint8_t in[512];
  clip_sums(own, other, 256, in);
  const std::uint64_t words[2] = {find_blocks(in, 256), find_blocks(in + 256, 256)};
  alignas(64) std::int32_t sums[32];
  alignas(64) std::uint8_t hidden[32], second[kLastUnit];
  sparse_tile<32 / kInts, Pairs>({.weights = stack.first.weights, .bias = stack.first.bias, .inputs = 512}, 32, 0, in,
                                 words, sums);
  clip(sums, hidden, 32);
  dense_tile<32 / kInts>(stack.second, 32, 32, 0, hidden, sums);
  clip(sums, second, 32);
  for (std::size_t at = 32; at < kLastUnit; at += 4) __builtin_memset(second + at, 0, 4);
  return last(stack, kBytes < 32 ? 32 : kBytes, second);
}

std::int32_t classic(const LayerStack& stack, std::size_t width, const std::int16_t* own, const std::int16_t* other) {
  if (width == 256 && stack.first.outputs == 32 && stack.second.outputs == 32 && stack.second.inputs == 32) {
    return stack.first.pairs ? classic_256_32_32<true>(stack, own, other) : classic_256_32_32<false>(stack, own, other);
  }
  return classic_of_any_size(stack, width, own, other);
}

inline void multiply_halves(const std::int16_t* sums, std::size_t half, std::uint8_t* out) {
  for (std::size_t at = 0; at < half; at += kBytes) {
    store(out + at, multiply_pack(load(sums + at), load(sums + at + kShorts), load(sums + half + at),
                                  load(sums + half + at + kShorts)));
  }
}

std::int32_t pairwise(const LayerStack& stack, std::size_t width, const std::int16_t* own, const std::int16_t* other) {
  alignas(64) std::uint8_t in[kMaxInputs];
  multiply_halves(own, width / 2, in);
  multiply_halves(other, width / 2, in + width / 2);
  alignas(64) std::int32_t sums[kMaxHidden];
  alignas(64) std::uint8_t hidden[2 * kMaxHidden + 4], clipped[kMaxHidden];
  first_layer(stack.first, in, sums);
  const std::size_t count = stack.hidden;
  clip(sums, clipped, stack.first.outputs);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t square = (std::int64_t{sums[i]} * sums[i]) >> 19;
    hidden[i] = static_cast<std::uint8_t>(square > 127 ? 127 : square);
    hidden[count + i] = clipped[i];
  }
  for (std::size_t i = 2 * count; i < stack.second.inputs; ++i) hidden[i] = 0;
  return finish(stack, hidden) + (stack.shortcut ? sums[count] : 0);
}

}  // namespace
}  // namespace fuhyo::nnue
