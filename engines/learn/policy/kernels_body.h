// The kernels themselves, included by one file for each instruction set, which says
//   FUHYO_LEARN_LANES  floats of a vector
//   FUHYO_LEARN_ROWS   inputs whose products with two vectors are summed together in registers: 4 or 8
// Everything is in a namespace without a name: a function compiled for one instruction set must never be linked in
// place of that of another one. For the same reason nothing of the standard library with a body is used.
#pragma once

#include <cstddef>

#include "engines/learn/policy/kernels.h"

namespace fuhyo::learn::policy {
namespace {

using nn::kChunk;
using nn::kFrame;
using nn::kPoints;
using nn::kTile;
using nn::kTiles;

constexpr std::size_t kLanes = FUHYO_LEARN_LANES;
constexpr std::size_t kRows = FUHYO_LEARN_ROWS;
constexpr std::size_t kParts = kChunk / kLanes;  // vectors of a chunk

using Vec = float __attribute__((ext_vector_type(FUHYO_LEARN_LANES)));

inline Vec load(const float* at) { return *reinterpret_cast<const Vec*>(at); }
inline void store(float* at, Vec v) { *reinterpret_cast<Vec*>(at) = v; }
inline Vec all(float value) { return static_cast<Vec>(value); }

// ---- products of panels ---------------------------------------------------------------------------------------------

// kVecs vectors of outputs, the first of which is `first` vectors from the left, for kRows inputs from `input` on.
template <std::size_t kVecs>
inline void outer_block(const Outer& p, std::size_t input, std::size_t first) {
  const float* a = p.a + input / kChunk * p.a_stride + input % kChunk;
  const float* b[kVecs];
  for (std::size_t v = 0; v < kVecs; ++v)
    b[v] = p.b + (first + v) / kParts * p.b_stride + (first + v) % kParts * kLanes;
  Vec sums[kRows][kVecs];
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t v = 0; v < kVecs; ++v) sums[i][v] = all(0);
  }
  for (std::size_t row = 0; row < p.rows; ++row) {
    Vec y[kVecs];
    for (std::size_t v = 0; v < kVecs; ++v) y[v] = load(b[v] + row * kChunk);
    for (std::size_t i = 0; i < kRows; ++i) {
      const Vec x = all(a[row * kChunk + i]);
      for (std::size_t v = 0; v < kVecs; ++v) sums[i][v] += x * y[v];
    }
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    float* const out = p.out + (input + i) * p.out_row + first * kLanes;
    for (std::size_t v = 0; v < kVecs; ++v) store(out + v * kLanes, load(out + v * kLanes) + sums[i][v]);
  }
}

void outer(const Outer& p) {
  const std::size_t vecs = p.b_chunks * kParts;
  for (std::size_t input = 0; input < p.a_chunks * kChunk; input += kRows) {
    std::size_t v = 0;
    for (; v + 2 <= vecs; v += 2) outer_block<2>(p, input, v);
    if (v < vecs) outer_block<1>(p, input, v);
  }
}

// ---- Winograd's transforms backwards --------------------------------------------------------------------------------

// Gradients by three results become those by the five sums of which they are made.
template <std::size_t kStep, std::size_t kOutStep>
inline void spread(const Vec* y, Vec* out) {
  const Vec y0 = y[0], y1 = y[kStep], y2 = y[2 * kStep];
  out[0] = y0;
  out[kOutStep] = (y0 + y2) + y1;
  out[2 * kOutStep] = (y0 + y2) - y1;
  out[3 * kOutStep] = y0 + all(2) * y1 + all(4) * y2;
  out[4 * kOutStep] = y2;
}

void tiles_gradient(const float* maps, std::size_t board_stride, std::size_t boards, float* out,
                    std::size_t point_stride) {
  for (std::size_t t = 0; t < boards * kTiles; ++t) {
    const std::size_t tile = t % kTiles;
    const float* from =
        maps + t / kTiles * board_stride + ((tile / 3 * kTile + 1) * kFrame + tile % 3 * kTile + 1) * kChunk;
    for (std::size_t part = 0; part < kParts; ++part) {
      Vec y[9], half[15], points[kPoints];
      for (std::size_t k = 0; k < 9; ++k) y[k] = load(from + (k / 3 * kFrame + k % 3) * kChunk + part * kLanes);
      for (std::size_t k = 0; k < 3; ++k) spread<1, 1>(y + k * 3, half + k * 5);
      for (std::size_t x = 0; x < 5; ++x) spread<5, 5>(half + x, points + x);
      float* const to = out + t * kChunk + part * kLanes;
      for (std::size_t point = 0; point < kPoints; ++point) store(to + point * point_stride, points[point]);
    }
  }
}

template <std::size_t kStep, std::size_t kOutStep>
inline void transform_weight(const Vec* w, Vec* out) {
  const Vec w0 = w[0], w1 = w[kStep], w2 = w[2 * kStep];
  out[0] = all(0.5F) * w0;
  out[kOutStep] = all(-0.5F) * (w0 + w1 + w2);
  out[2 * kOutStep] = all(1.F / 6) * (w1 - w0 - w2);
  out[3 * kOutStep] = all(1.F / 6) * w0 + all(1.F / 3) * w1 + all(2.F / 3) * w2;
  out[4 * kOutStep] = w2;
}

// ... and its transpose.
template <std::size_t kStep, std::size_t kOutStep>
inline void gather_weight(const Vec* u, Vec* out) {
  const Vec u0 = u[0], u1 = u[kStep], u2 = u[2 * kStep], u3 = u[3 * kStep], u4 = u[4 * kStep];
  out[0] = all(0.5F) * (u0 - u1) + all(1.F / 6) * (u3 - u2);
  out[kOutStep] = all(1.F / 6) * u2 - all(0.5F) * u1 + all(1.F / 3) * u3;
  out[2 * kOutStep] = all(2.F / 3) * u3 - all(0.5F) * u1 - all(1.F / 6) * u2 + u4;
}

void transform_weights(const float* weights, std::size_t inputs, std::size_t outputs, std::size_t width, float* out) {
  for (std::size_t block = 0; block < outputs; block += width) {
    const std::size_t here = outputs - block < width ? outputs - block : width;
    float* const to = out + block * inputs * kPoints;
    for (std::size_t i = 0; i < inputs; ++i) {
      for (std::size_t o = 0; o < here; o += kLanes) {
        Vec w[9], half[15], points[kPoints];
        for (std::size_t k = 0; k < 9; ++k) w[k] = load(weights + (k * inputs + i) * outputs + block + o);
        for (std::size_t k = 0; k < 3; ++k) transform_weight<1, 1>(w + k * 3, half + k * 5);
        for (std::size_t x = 0; x < 5; ++x) transform_weight<5, 5>(half + x, points + x);
        for (std::size_t point = 0; point < kPoints; ++point)
          store(to + (point * inputs + i) * here + o, points[point]);
      }
    }
  }
}

void weights_gradient(const float* points, std::size_t inputs, std::size_t outputs, float* out) {
  const std::size_t size = inputs * outputs;
  for (std::size_t at = 0; at < size; at += kLanes) {
    Vec u[kPoints], half[15], w[9];
    for (std::size_t point = 0; point < kPoints; ++point) u[point] = load(points + point * size + at);
    for (std::size_t x = 0; x < 5; ++x) gather_weight<5, 5>(u + x, half + x);
    for (std::size_t k = 0; k < 3; ++k) gather_weight<1, 1>(half + k * 5, w + k * 3);
    for (std::size_t k = 0; k < 9; ++k) store(out + k * size + at, w[k]);
  }
}

// ---- batch norms ----------------------------------------------------------------------------------------------------

template <class Visit>
inline void each_square(const Boards& boards, std::size_t part, const Visit& visit) {
  for (std::size_t board = 0; board < boards.count; ++board) {
    for (std::size_t y = 1; y <= boards.edge; ++y) {
      const std::size_t row = board * boards.stride + (y * kFrame + 1) * kChunk + part * kLanes;
      for (std::size_t x = 0; x < boards.edge; ++x) visit(row + x * kChunk);
    }
  }
}

inline float squares(const Boards& boards) { return static_cast<float>(boards.count * boards.edge * boards.edge); }

void moments(const float* maps, const Boards& boards, float* mean, float* variance) {
  const Vec share = all(1 / squares(boards));
  for (std::size_t part = 0; part < kParts; ++part) {
    Vec sum = all(0), square = all(0);
    each_square(boards, part, [&](std::size_t at) { sum += load(maps + at); });
    const Vec middle = sum * share;
    each_square(boards, part, [&](std::size_t at) {
      const Vec x = load(maps + at) - middle;
      square += x * x;
    });
    store(mean + part * kLanes, middle);
    store(variance + part * kLanes, square * share);
  }
}

void normalise(const float* in, const Normalisation& by, const float* shortcut, float* out, const Boards& boards) {
  for (std::size_t part = 0; part < kParts; ++part) {
    const Vec scale = load(by.scale + part * kLanes), shift = load(by.shift + part * kLanes);
    if (shortcut == nullptr) {
      each_square(boards, part, [&](std::size_t at) {
        store(out + at, __builtin_elementwise_max(load(in + at) * scale + shift, all(0)));
      });
    } else {
      each_square(boards, part, [&](std::size_t at) {
        store(out + at, __builtin_elementwise_max(load(in + at) * scale + shift + load(shortcut + at), all(0)));
      });
    }
  }
}

void norm_gradient(const NormGradient& work, const Boards& boards) {
  for (std::size_t part = 0; part < kParts; ++part) {
    const Vec mean = load(work.mean + part * kLanes), deviation = load(work.deviation + part * kLanes);
    Vec shift = all(0), scale = all(0);
    each_square(boards, part, [&](std::size_t at) {
      const Vec gradient = load(work.out + at) > all(0) ? load(work.gradient + at) : all(0);
      store(work.gradient + at, gradient);
      shift += gradient;
      scale += gradient * (load(work.in + at) - mean);
    });
    store(work.shift + part * kLanes, shift);
    store(work.scale + part * kLanes, scale * deviation);
  }
}

void norm_input(const NormInput& work, const Boards& boards) {
  for (std::size_t part = 0; part < kParts; ++part) {
    const Vec factor = load(work.factor + part * kLanes), slope = load(work.slope + part * kLanes);
    const Vec offset = load(work.offset + part * kLanes);
    each_square(boards, part, [&](std::size_t at) {
      store(work.out + at, load(work.gradient + at) * factor + (load(work.in + at) * slope + offset));
    });
  }
}

constexpr Kernels kernels(const char* name, const nn::Kernels* forward) {
  return {.name = name,
          .forward = forward,
          .outer = outer,
          .tiles_gradient = tiles_gradient,
          .transform_weights = transform_weights,
          .weights_gradient = weights_gradient,
          .moments = moments,
          .normalise = normalise,
          .norm_gradient = norm_gradient,
          .norm_input = norm_input};
}

}  // namespace
}  // namespace fuhyo::learn::policy
