// The kernels over vectors of kBytes bytes, kRows rows of a matrix at once. Each source file of an instruction set
// defines both in its own anonymous namespace, then includes this; no header of the library with inline functions may
// be included: a function that the linker merges with the one of another file would bring instructions there that the
// machine may not have.
#pragma once

#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {
namespace {

typedef float Vec __attribute__((vector_size(kBytes)));
typedef std::int32_t Mask __attribute__((vector_size(kBytes)));

constexpr std::size_t kFloats = kBytes / sizeof(float);
constexpr std::size_t kParts =
    2;  // vectors of a row that a block of a product holds; with kRows rows they fill registers
// What stays in registers of a row: eight vectors, or two units of columns.
constexpr std::size_t kTile = 8 * kFloats < 2 * kColumns ? 8 * kFloats : 2 * kColumns;

inline Vec load(const float* at) {
  Vec v;
  __builtin_memcpy(&v, at, sizeof v);
  return v;
}
inline void store(float* at, Vec v) { __builtin_memcpy(at, &v, sizeof v); }
inline Vec all(float value) { return Vec{} + value; }
inline Vec limited(Vec v, Vec least, Vec most) {
  return __builtin_elementwise_min(__builtin_elementwise_max(v, least), most);
}

// ---- the sparse layer: a tile of columns at a time, so that those of all rows stay in the cache ----

void sum_rows(const ActiveRows& on, const float* bias, const float* rows, float* out, std::size_t stride) {
  constexpr std::size_t kVecs = kTile / kFloats;
  const Vec zero = all(0), one = all(1);
  for (std::size_t at = 0; at < on.width; at += kTile) {
    const std::uint32_t* index = on.index;
    for (std::size_t p = 0; p < on.count; ++p, index += on.active) {
      Vec sums[kVecs];
      for (std::size_t v = 0; v < kVecs; ++v) sums[v] = load(bias + at + v * kFloats);
      for (std::size_t k = 0; k < on.active; ++k) {
        const float* row = rows + index[k] * on.width + at;
        for (std::size_t v = 0; v < kVecs; ++v) sums[v] += load(row + v * kFloats);
      }
      float* to = out + p * stride + at;
      for (std::size_t v = 0; v < kVecs; ++v) store(to + v * kFloats, limited(sums[v], zero, one));
    }
  }
}

template <std::size_t Tile>
void add_tile(const ActiveRows& on, const float* gradient, std::size_t stride, std::size_t at, float* rows,
              float* bias) {
  constexpr std::size_t kVecs = Tile / kFloats;
  const std::uint32_t* index = on.index;
  for (std::size_t p = 0; p < on.count; ++p, index += on.active) {
    Vec change[kVecs];
    for (std::size_t v = 0; v < kVecs; ++v) change[v] = load(gradient + p * stride + at + v * kFloats);
    for (std::size_t v = 0; v < kVecs; ++v) store(bias + at + v * kFloats, load(bias + at + v * kFloats) + change[v]);
    for (std::size_t k = 0; k < on.active; ++k) {
      float* row = rows + index[k] * on.width + at;
      for (std::size_t v = 0; v < kVecs; ++v) store(row + v * kFloats, load(row + v * kFloats) + change[v]);
    }
  }
}

void add_rows(const ActiveRows& on, const float* gradient, std::size_t stride, std::size_t from, std::size_t to,
              float* rows, float* bias) {
  std::size_t at = from;
  for (; at + kTile <= to; at += kTile) add_tile<kTile>(on, gradient, stride, at, rows, bias);
  if (at < to) add_tile<kColumns>(on, gradient, stride, at, rows, bias);
}

// ---- dense layers ----

// Rows rows of c, kParts vectors of each, over `depth` products.
template <std::size_t Rows>
inline void multiply_block(const Strided& a, const float* b, std::size_t b_row, float* c, std::size_t c_row,
                           std::size_t depth) {
  Vec sums[Rows][kParts];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < kParts; ++v) sums[r][v] = load(c + r * c_row + v * kFloats);
  }
  const float* left = a.data;
  for (std::size_t k = 0; k < depth; ++k, left += a.column, b += b_row) {
    Vec right[kParts];
    for (std::size_t v = 0; v < kParts; ++v) right[v] = load(b + v * kFloats);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vec factor = all(left[r * a.row]);
      for (std::size_t v = 0; v < kParts; ++v) sums[r][v] += factor * right[v];
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < kParts; ++v) store(c + r * c_row + v * kFloats, sums[r][v]);
  }
}

// All columns of some rows, and of each of these all depths: what is written stays in the cache.
void multiply_rows(const Strided& a, const float* b, std::size_t b_row, float* c, std::size_t c_row, std::size_t m,
                   std::size_t k, std::size_t n) {
  constexpr std::size_t kDepth = 128;  // lines of b that stay in the first cache
  for (std::size_t column = 0; column < n; column += kParts * kFloats) {
    for (std::size_t from = 0; from < k; from += kDepth) {
      const std::size_t depth = k - from < kDepth ? k - from : kDepth;
      const float* right = b + from * b_row + column;
      std::size_t i = 0;
      const auto left = [&] { return Strided{a.data + i * a.row + from * a.column, a.row, a.column}; };
      for (; i + kRows <= m; i += kRows) {
        multiply_block<kRows>(left(), right, b_row, c + i * c_row + column, c_row, depth);
      }
      for (; i < m; ++i) multiply_block<1>(left(), right, b_row, c + i * c_row + column, c_row, depth);
    }
  }
}

void multiply(const Strided& a, const float* b, std::size_t b_row, float* c, std::size_t c_row, std::size_t m,
              std::size_t k, std::size_t n) {
  constexpr std::size_t kBand = 8 * kRows;
  for (std::size_t i = 0; i < m; i += kBand) {
    multiply_rows({a.data + i * a.row, a.row, a.column}, b, b_row, c + i * c_row, c_row, m - i < kBand ? m - i : kBand,
                  k, n);
  }
}

void clip(float* values, std::size_t count) {
  const Vec zero = all(0), one = all(1);
  for (std::size_t i = 0; i < count; i += kFloats) store(values + i, limited(load(values + i), zero, one));
}

void through_clip(const float* values, float* gradient, std::size_t count) {
  const Vec zero = all(0), one = all(1);
  for (std::size_t i = 0; i < count; i += kFloats) {
    const Vec value = load(values + i), change = load(gradient + i);
    const Mask within = (value > zero) & (value < one);
    Mask bits;
    __builtin_memcpy(&bits, &change, sizeof bits);
    bits &= within;
    __builtin_memcpy(gradient + i, &bits, sizeof bits);
  }
}

// ---- the optimiser ----

template <bool Largest>
void step_all(const StepSizes& sizes, const StepState& state, std::size_t count) {
  const Vec lower = all(sizes.lower), upper = all(sizes.upper), least = all(sizes.least), most = all(sizes.most);
  for (std::size_t i = 0; i < count; i += kFloats) {
    const Vec gradient = load(state.gradient + i);
    const Vec mean = load(state.mean + i) * sizes.beta1 + gradient * (1 - sizes.beta1);
    Vec square = load(state.square + i) * sizes.beta2 + gradient * gradient * (1 - sizes.beta2);
    store(state.mean + i, mean);
    store(state.square + i, square);
    if constexpr (Largest) {
      square = __builtin_elementwise_max(square, load(state.largest + i));
      store(state.largest + i, square);
    }
    const Vec size = sizes.rate / (__builtin_elementwise_sqrt(square) * sizes.root + sizes.epsilon);
    const Vec weight = load(state.weights + i) * sizes.keep - limited(size, lower, upper) * mean;
    store(state.weights + i, limited(weight, least, most));
  }
}

void step(const StepSizes& sizes, const StepState& state, std::size_t count) {
  if (state.largest != nullptr) return step_all<true>(sizes, state, count);
  step_all<false>(sizes, state, count);
}

}  // namespace
}  // namespace fuhyo::learn
