// The kernels themselves, included by one file for each instruction set, which says
//   FUHYO_NN_LANES  floats of a vector
//   FUHYO_NN_WIDTH  outputs that are computed together, and so lie together in weights: 16 or 32
//   FUHYO_NN_ROWS   rows that are computed together: ROWS * WIDTH / LANES sums stay in registers
// Everything is in a namespace without a name: a function compiled for one instruction set must never be linked in
// place of that of another one. For the same reason nothing of the standard library with a body is used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engines/nn/kernels.h"
#include "engines/nn/winograd.h"

namespace fuhyo::nn {
namespace {

constexpr std::size_t kLanes = FUHYO_NN_LANES;
constexpr std::size_t kWidth = FUHYO_NN_WIDTH;
constexpr std::size_t kRows = FUHYO_NN_ROWS;
constexpr std::size_t kParts = kChunk / kLanes;  // vectors of a chunk

using Vec = float __attribute__((ext_vector_type(FUHYO_NN_LANES)));
using Ints = std::int32_t __attribute__((ext_vector_type(FUHYO_NN_LANES)));

inline Vec load(const float* at) { return *reinterpret_cast<const Vec*>(at); }
inline void store(float* at, Vec v) { *reinterpret_cast<Vec*>(at) = v; }
inline Vec all(float value) { return static_cast<Vec>(value); }
inline Vec max(Vec a, Vec b) { return __builtin_elementwise_max(a, b); }
inline Vec min(Vec a, Vec b) { return __builtin_elementwise_min(a, b); }

// ---- matrices -------------------------------------------------------------------------------------------------------

// How far ahead weights are fetched, in floats: the time that memory takes, far less than what the first cache holds.
// Matrices follow each other in the order of their use, so that this reaches into the next one.
constexpr std::size_t kAhead = 1024;

// kSplits sums for each result, of every kSplits-th input: few rows alone would wait for each other's additions.
template <std::size_t kHere, std::size_t kWide, std::size_t kSplits, bool kFetch>
inline void multiply_block(const Product& p, std::size_t row) {
  constexpr std::size_t kVecs = kWide / kLanes;
  Vec sums[kSplits][kHere][kVecs];
  for (std::size_t k = 0; k < kSplits; ++k) {
    for (std::size_t r = 0; r < kHere; ++r) {
      for (std::size_t v = 0; v < kVecs; ++v) sums[k][r][v] = all(0);
    }
  }
  const float* in = p.in + row * kChunk;
  const float* weights = p.weights;
  for (std::size_t c = 0; c < p.in_chunks; ++c, in += p.in_stride) {
    // Panels may be pages apart, where no hardware looks ahead.
    for (std::size_t r = 0; r < kHere; ++r) __builtin_prefetch(in + p.in_stride + r * kChunk, 0, 3);
#pragma unroll 8
    for (std::size_t i = 0; i < kChunk; ++i, weights += kWide) {
      if constexpr (kFetch) {
        for (std::size_t line = 0; line < kWide; line += 16) __builtin_prefetch(weights + kAhead + line, 0, 3);
      }
      Vec w[kVecs];
      for (std::size_t v = 0; v < kVecs; ++v) w[v] = load(weights + v * kLanes);
      for (std::size_t r = 0; r < kHere; ++r) {
        const Vec x = all(in[r * kChunk + i]);
        for (std::size_t v = 0; v < kVecs; ++v) sums[i % kSplits][r][v] += x * w[v];
      }
    }
  }
  for (std::size_t r = 0; r < kHere; ++r) {
    for (std::size_t v = 0; v < kVecs; ++v) {
      Vec sum = sums[0][r][v];
      for (std::size_t k = 1; k < kSplits; ++k) sum += sums[k][r][v];
      const std::size_t lane = v * kLanes;
      store(p.out + lane / kChunk * p.out_stride + (row + r) * kChunk + lane % kChunk, sum);
    }
  }
}

constexpr std::size_t splits(std::size_t rows) { return rows == 1 ? 4 : rows <= 3 && kRows > 3 ? 2 : 1; }

template <std::size_t kHere, std::size_t kWide, bool kFetch>
inline void multiply_rows(const Product& p, std::size_t row, std::size_t count) {
  if (count == kHere) return multiply_block<kHere, kWide, splits(kHere), kFetch>(p, row);
  if constexpr (kHere > 1) multiply_rows<kHere - 1, kWide, kFetch>(p, row, count);
}

template <std::size_t kWide>
inline void multiply_wide(const Product& p) {
  // Blocks of about equal size: a small one at the end would not keep the units busy. The first one brings the weights
  // into the cache.
  const std::size_t blocks = (p.rows + kRows - 1) / kRows;
  const std::size_t size = p.rows / blocks, larger = p.rows % blocks;
  std::size_t row = size + (larger > 0 ? 1 : 0);
  multiply_rows<kRows, kWide, true>(p, 0, row);
  for (std::size_t b = 1; b < blocks; ++b) {
    const std::size_t count = size + (b < larger ? 1 : 0);
    multiply_rows<kRows, kWide, false>(p, row, count);
    row += count;
  }
}

void multiply(const Product& p) {
  if (kWidth == 32 && p.width == 32) return multiply_wide<kWidth>(p);
  multiply_wide<16>(p);
}

// ---- activations ----------------------------------------------------------------------------------------------------

// e^x to about 1e-7 of it: 2^n times a polynomial of what is left of x, at most half a power of two.
inline Vec exponential(Vec x) {
  x = min(max(x, all(-87)), all(88));
  // Adding and taking away 1.5 * 2^23 rounds to a whole number; the low bits are that number.
  const Vec shifted = x * all(1.44269504F) + all(12582912.F);
  const Vec n = shifted - all(12582912.F);
  const Vec r = (x - n * all(0.693359375F)) - n * all(-2.12194440e-4F);
  Vec y = all(1.9875691500e-4F);
  y = y * r + all(1.3981999507e-3F);
  y = y * r + all(8.3334519073e-3F);
  y = y * r + all(4.1665795894e-2F);
  y = y * r + all(1.6666665459e-1F);
  y = y * r + all(5.0000001201e-1F);
  y = y * r * r + r + all(1);
  const Ints power = (__builtin_bit_cast(Ints, shifted) - __builtin_bit_cast(Ints, all(12582912.F)) + 127) << 23;
  return y * __builtin_bit_cast(Vec, power);
}

template <Activation kActivation>
inline Vec activated(Vec x) {
  if constexpr (kActivation == Activation::relu) return max(x, all(0));
  return x / (all(1) + exponential(-x));
}

// ---- Winograd's transforms
// --------------------------------------------------------------------------------------------

void tiles_in(const float* maps, std::size_t board_stride, std::size_t boards, float* out, std::size_t point_stride) {
  for (std::size_t t = 0; t < boards * kTiles; ++t) {
    const std::size_t tile = t % kTiles;
    const float* from = maps + t / kTiles * board_stride + (tile / 3 * kFrame + tile % 3) * kTile * kChunk;
    for (std::size_t part = 0; part < kParts; ++part) {
      Vec d[kPoints];
      for (std::size_t y = 0; y < 5; ++y) {
        for (std::size_t x = 0; x < 5; ++x) d[y * 5 + x] = load(from + (y * kFrame + x) * kChunk + part * kLanes);
        transform_in<1>(d + y * 5);
      }
      float* to = out + t * kChunk + part * kLanes;
      for (std::size_t x = 0; x < 5; ++x) transform_in<5>(d + x);
      for (std::size_t point = 0; point < kPoints; ++point) store(to + point * point_stride, d[point]);
    }
  }
}

template <Activation kActivation>
void tiles_out(const Finish& f) {
  for (std::size_t t = 0; t < f.boards * kTiles; ++t) {
    const std::size_t board = t / kTiles, top = t % kTiles / 3 * kTile, left = t % 3 * kTile;
    for (std::size_t part = 0; part < kParts; ++part) {
      const float* from = f.sums + t * kChunk + part * kLanes;
      Vec half[15], y[9];
      for (std::size_t x = 0; x < 5; ++x) {
        Vec column[5];
        for (std::size_t k = 0; k < 5; ++k) column[k] = load(from + (k * 5 + x) * f.point_stride);
        transform_out<1, 5>(column, half + x);
      }
      for (std::size_t k = 0; k < 3; ++k) transform_out<1, 1>(half + k * 5, y + k * 3);
      Vec bias = load(f.bias + part * kLanes);
      if (f.board_bias != nullptr) bias += load(f.board_bias + board * f.board_bias_stride + part * kLanes);
      const std::size_t at = board * f.board_stride + ((top + 1) * kFrame + left + 1) * kChunk + part * kLanes;
      const auto finish = [&](std::size_t k) {
        const std::size_t here = at + (k / 3 * kFrame + k % 3) * kChunk;
        Vec value = y[k] + bias;
        if (f.shortcut != nullptr) value += load(f.shortcut + here);
        store(f.out + here, f.activate ? activated<kActivation>(value) : value);
      };
      if (top + kTile <= f.edge && left + kTile <= f.edge) {
#pragma unroll
        for (std::size_t k = 0; k < 9; ++k) finish(k);
      } else {
        for (std::size_t k = 0; k < 9; ++k) {
          if (top + k / 3 < f.edge && left + k % 3 < f.edge) finish(k);
        }
      }
    }
  }
}

// ---- the rest -------------------------------------------------------------------------------------------------------

template <class Visit>
inline void each_square(std::size_t edge, const Visit& visit) {
  for (std::size_t y = 1; y <= edge; ++y) {
    for (std::size_t x = 1; x <= edge; ++x) visit((y * kFrame + x) * kChunk);
  }
}

template <Activation kActivation>
void rescale(const Rescale& r) {
  for (std::size_t part = 0; part < kChunk; part += kLanes) {
    const Vec scale = r.scale != nullptr ? load(r.scale + part) : all(1);
    const Vec shift = r.shift != nullptr ? load(r.shift + part) : all(0);
    each_square(r.edge, [&](std::size_t square) {
      Vec value = load(r.in + square + part) * scale + shift;
      if (r.shortcut != nullptr) value += load(r.shortcut + square + part);
      store(r.out + square + part, activated<kActivation>(value));
    });
  }
}

void pool(const float* maps, std::size_t edge, float* means, float* maxima) {
  for (std::size_t part = 0; part < kChunk; part += kLanes) {
    Vec sum = all(0), most = all(-3e38F);
    each_square(edge, [&](std::size_t square) {
      sum += load(maps + square + part);
      most = max(most, load(maps + square + part));
    });
    store(means + part, sum / all(static_cast<float>(edge * edge)));
    if (maxima != nullptr) store(maxima + part, most);
  }
}

template <Activation kActivation>
void activate(const float* in, const float* bias, float* out, std::size_t rows, std::size_t out_stride) {
  for (std::size_t part = 0; part < kChunk; part += kLanes) {
    const Vec add = load(bias + part);
    for (std::size_t r = 0; r < rows; ++r) {
      store(out + r * out_stride + part, activated<kActivation>(load(in + r * kChunk + part) + add));
    }
  }
}

constexpr Kernels kernels(const char* name) {
  return {
      .name = name,
      .width = kWidth,
      .multiply = multiply,
      .tiles_in = tiles_in,
      .tiles_out =
          [](const Finish& finish, Activation activation) {
            activation == Activation::relu ? tiles_out<Activation::relu>(finish) : tiles_out<Activation::silu>(finish);
          },
      .rescale =
          [](const Rescale& work, Activation activation) {
            activation == Activation::relu ? rescale<Activation::relu>(work) : rescale<Activation::silu>(work);
          },
      .pool = pool,
      .activate =
          [](const float* in, const float* bias, float* out, std::size_t rows, std::size_t out_stride,
             Activation activation) {
            activation == Activation::relu ? activate<Activation::relu>(in, bias, out, rows, out_stride)
                                           : activate<Activation::silu>(in, bias, out, rows, out_stride);
          },
  };
}

}  // namespace
}  // namespace fuhyo::nn
