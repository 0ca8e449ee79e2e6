// The kernels over a small vector type. Each source file of an instruction set defines that type in its own anonymous
// namespace, then includes this; everything here is in an anonymous namespace too, and no header of the library with
// inline functions may be included: a function that the linker merges with the one of another file would bring
// instructions there that the machine may not have.
//
// The file before it defines, for vectors of kBytes bytes:
//   Vec, load, store (aligned), add16, sub16, add32, set32 (one value in all), sum32 (of all lanes),
//   dot (acc32 += four u8 of x, at most 127, by four i8 of w), clip_pack (two of i16 to one of u8, 0..127, in order),
//   multiply_pack (two of i16 by two more, each clipped to 0..254, >> 9, to one of u8, in order),
//   nonzero_blocks (of 32 bytes: a bit for each four that are not all 0).
#pragma once

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {

constexpr std::uint32_t kShorts = kBytes / 2;
constexpr std::uint32_t kInts = kBytes / 4;

// ---- the transformer ----

// Tiles of sums stay in registers while all rows pass by.
template <std::uint32_t Tile>
inline void update_tile(const std::int16_t* base, std::int16_t* out, std::uint32_t at, const std::int16_t* const* add,
                        std::uint32_t add_count, const std::int16_t* const* sub, std::uint32_t sub_count) {
  Vec sums[Tile];
  for (std::uint32_t v = 0; v < Tile; ++v) sums[v] = load(base + at + v * kShorts);
  for (std::uint32_t k = 0; k < add_count; ++k) {
    for (std::uint32_t v = 0; v < Tile; ++v) sums[v] = add16(sums[v], load(add[k] + at + v * kShorts));
  }
  for (std::uint32_t k = 0; k < sub_count; ++k) {
    for (std::uint32_t v = 0; v < Tile; ++v) sums[v] = sub16(sums[v], load(sub[k] + at + v * kShorts));
  }
  for (std::uint32_t v = 0; v < Tile; ++v) store(out + at + v * kShorts, sums[v]);
}

// A move that captures nothing, and one that does: nearly all there are.
template <std::uint32_t Count>
inline void exchange(const std::int16_t* base, std::int16_t* out, std::uint32_t width, const std::int16_t* const* add,
                     const std::int16_t* const* sub) {
  const std::int16_t *added[Count], *taken[Count];
  for (std::uint32_t k = 0; k < Count; ++k) {
    added[k] = add[k];
    taken[k] = sub[k];
  }
  for (std::uint32_t at = 0; at < width; at += 2 * kShorts) {
    Vec low = load(base + at), high = load(base + at + kShorts);
    for (std::uint32_t k = 0; k < Count; ++k) {
      low = sub16(add16(low, load(added[k] + at)), load(taken[k] + at));
      high = sub16(add16(high, load(added[k] + at + kShorts)), load(taken[k] + at + kShorts));
    }
    store(out + at, low);
    store(out + at + kShorts, high);
  }
}

void update(const std::int16_t* base, std::int16_t* out, std::uint32_t width, const std::int16_t* const* add,
            std::uint32_t add_count, const std::int16_t* const* sub, std::uint32_t sub_count) {
  if (add_count == 1 && sub_count == 1) return exchange<1>(base, out, width, add, sub);
  if (add_count == 2 && sub_count == 2) return exchange<2>(base, out, width, add, sub);
  constexpr std::uint32_t kTile = 8;
  std::uint32_t at = 0;
  for (; at + kTile * kShorts <= width; at += kTile * kShorts) {
    update_tile<kTile>(base, out, at, add, add_count, sub, sub_count);
  }
  for (; at < width; at += kShorts) update_tile<1>(base, out, at, add, add_count, sub, sub_count);
}

// ---- layers ----

struct BlockTable {
  std::uint16_t lists[256][8];  // the bits that are set in an index
  std::uint8_t counts[256];
};

constexpr BlockTable make_block_table() {
  BlockTable table{};
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    std::uint8_t count = 0;
    for (std::uint16_t bit = 0; bit < 8; ++bit) {
      if ((mask >> bit & 1) != 0) table.lists[mask][count++] = bit;
    }
    table.counts[mask] = count;
  }
  return table;
}

constexpr BlockTable kBlockTable = make_block_table();

// Which blocks of four inputs are not all 0. Half of a trained first layer's inputs are.
struct Blocks {
  std::uint16_t list[kMaxInputs / 4 + 8];
  std::uint32_t count;
};

inline void find_blocks(const std::uint8_t* in, std::uint32_t inputs, Blocks& blocks) {
  std::uint32_t count = 0;
  for (std::uint32_t at = 0; at < inputs; at += 32) {
    const std::uint32_t mask = nonzero_blocks(in + at);
    const auto first = static_cast<std::uint16_t>(at / 4);
    for (std::uint32_t k = 0; k < 8; ++k) {
      blocks.list[count + k] = static_cast<std::uint16_t>(first + kBlockTable.lists[mask][k]);
    }
    count += kBlockTable.counts[mask];
  }
  blocks.count = count;
}

inline Vec four_inputs(const std::uint8_t* in) {
  std::int32_t four;
  __builtin_memcpy(&four, in, sizeof four);
  return set32(four);
}

// Tile vectors of outputs from `at`, over the blocks that next() tells.
template <std::uint32_t Tile, bool Sparse>
inline void dense_tile(const DenseLayer& layer, std::uint32_t outputs, std::uint32_t at, const std::uint8_t* in,
                       const Blocks* blocks, std::int32_t* out) {
  Vec sums[Tile];
  for (std::uint32_t v = 0; v < Tile; ++v) sums[v] = load(layer.bias + at + v * kInts);
  const std::uint32_t count = Sparse ? blocks->count : layer.inputs / 4;
  const std::int8_t* weights = layer.weights + at * 4;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t block = Sparse ? blocks->list[k] : k;
    const Vec x = four_inputs(in + block * 4);
    const std::int8_t* row = weights + block * outputs * 4;
    for (std::uint32_t v = 0; v < Tile; ++v) sums[v] = dot(sums[v], x, load(row + v * kBytes));
  }
  for (std::uint32_t v = 0; v < Tile; ++v) store(out + at + v * kInts, sums[v]);
}

// Outputs == 0: as many as the layer says.
template <std::uint32_t Outputs, bool Sparse>
inline void dense(const DenseLayer& layer, const std::uint8_t* in, const Blocks* blocks, std::int32_t* out) {
  if constexpr (Outputs != 0) {
    dense_tile<Outputs / kInts, Sparse>(layer, Outputs, 0, in, blocks, out);
  } else {
    const std::uint32_t outputs = layer.outputs;
    std::uint32_t at = 0;
    for (; at + 8 * kInts <= outputs; at += 8 * kInts) dense_tile<8, Sparse>(layer, outputs, at, in, blocks, out);
    for (; at + 4 * kInts <= outputs; at += 4 * kInts) dense_tile<4, Sparse>(layer, outputs, at, in, blocks, out);
    for (; at + 2 * kInts <= outputs; at += 2 * kInts) dense_tile<2, Sparse>(layer, outputs, at, in, blocks, out);
    for (; at < outputs; at += kInts) dense_tile<1, Sparse>(layer, outputs, at, in, blocks, out);
  }
}

inline void clip(const std::int32_t* in, std::uint8_t* out, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t value = in[i] >> 6;
    out[i] = static_cast<std::uint8_t>(value < 0 ? 0 : value > 127 ? 127 : value);
  }
}

inline std::int32_t last(const LayerStack& stack, std::uint32_t inputs, const std::uint8_t* in) {
  Vec sum = set32(0);
  for (std::uint32_t at = 0; at < inputs; at += kBytes) sum = dot(sum, load(in + at), load(stack.last_weights + at));
  return stack.last_bias + sum32(sum);
}

template <std::uint32_t Second>
inline std::int32_t finish(const LayerStack& stack, const std::uint8_t* in) {
  alignas(64) std::int32_t sums[Second != 0 ? Second : kMaxHidden];
  alignas(64) std::uint8_t hidden[Second != 0 ? kLastUnit : kMaxHidden];
  dense<Second, false>(stack.second, in, nullptr, sums);
  if constexpr (Second != 0) {
    static_assert(Second <= kLastUnit);
    for (std::uint32_t at = 0; at < kLastUnit; at += kBytes) store(hidden + at, set32(0));
    clip(sums, hidden, Second);
    return last(stack, kLastUnit, hidden);
  } else {
    clip(sums, hidden, stack.second.outputs);
    for (std::uint32_t i = stack.second.outputs; i < stack.last_inputs; ++i) hidden[i] = 0;
    return last(stack, stack.last_inputs, hidden);
  }
}

// Width, First and Second are 0, or what the network has.
template <std::uint32_t Width, std::uint32_t First, std::uint32_t Second>
inline std::int32_t classic_of(const LayerStack& stack, std::uint32_t any_width, const std::int16_t* own,
                               const std::int16_t* other) {
  const std::uint32_t width = Width != 0 ? Width : any_width;
  alignas(64) std::uint8_t in[Width != 0 ? 2 * Width : kMaxInputs];
  for (std::uint32_t at = 0; at < width; at += kBytes) {
    store(in + at, clip_pack(load(own + at), load(own + at + kShorts)));
    store(in + width + at, clip_pack(load(other + at), load(other + at + kShorts)));
  }
  Blocks blocks;
  find_blocks(in, 2 * width, blocks);
  alignas(64) std::int32_t sums[First != 0 ? First : kMaxHidden];
  alignas(64) std::uint8_t hidden[First != 0 ? First : kMaxHidden];
  dense<First, true>(stack.first, in, &blocks, sums);
  clip(sums, hidden, First != 0 ? First : stack.first.outputs);
  return finish<Second>(stack, hidden);
}

std::int32_t classic(const LayerStack& stack, std::uint32_t width, const std::int16_t* own, const std::int16_t* other) {
  if (width == 256 && stack.first.outputs == 32 && stack.second.outputs == 32 && stack.second.inputs == 32) {
    return classic_of<256, 32, 32>(stack, width, own, other);
  }
  return classic_of<0, 0, 0>(stack, width, own, other);
}

inline void multiply_halves(const std::int16_t* sums, std::uint32_t half, std::uint8_t* out) {
  for (std::uint32_t at = 0; at < half; at += kBytes) {
    store(out + at, multiply_pack(load(sums + at), load(sums + at + kShorts), load(sums + half + at),
                                  load(sums + half + at + kShorts)));
  }
}

std::int32_t pairwise(const LayerStack& stack, std::uint32_t width, const std::int16_t* own,
                      const std::int16_t* other) {
  alignas(64) std::uint8_t in[kMaxInputs];
  multiply_halves(own, width / 2, in);
  multiply_halves(other, width / 2, in + width / 2);
  Blocks blocks;
  find_blocks(in, width, blocks);
  alignas(64) std::int32_t sums[kMaxHidden];
  alignas(64) std::uint8_t hidden[2 * kMaxHidden + 4];
  dense<0, true>(stack.first, in, &blocks, sums);
  const std::uint32_t count = stack.hidden;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t square = (std::int64_t{sums[i]} * sums[i]) >> 19;
    hidden[i] = static_cast<std::uint8_t>(square > 127 ? 127 : square);
  }
  clip(sums, hidden + count, count);
  for (std::uint32_t i = 2 * count; i < stack.second.inputs; ++i) hidden[i] = 0;
  return finish<0>(stack, hidden) + (stack.shortcut ? sums[count] : 0);
}

}  // namespace
}  // namespace fuhyo::nnue
