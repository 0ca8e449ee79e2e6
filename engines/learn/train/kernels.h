// The arithmetic of training in 32-bit floats, once for each instruction set, chosen at run time. Each function adds in
// an order of its own that never changes, so that a set gives the same bits every time; sets differ in rounding.
// The functions behind the pointers are pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuhyo::learn {

constexpr std::size_t kColumns = 32;  // widths of matrices and lengths of vectors are multiples of this

// Which rows of a sparse layer are on: `active` indices for each of `count` positions.
struct ActiveRows {
  const std::uint32_t* index;
  std::size_t active, count;
  std::size_t width;  // of a row
};

// Element (i, k) is data[i * row + k * column].
struct Strided {
  const float* data;
  std::size_t row, column;
};

// One step of an optimiser of Adam's family (optimiser.h).
struct StepSizes {
  float rate;  // the learning rate, corrected for the mean's start at 0
  float root;  // what the root of the square is multiplied by for the same reason
  float keep;  // what weights are multiplied by before the step
  float beta1, beta2, epsilon;
  float lower, upper;  // of what the mean is multiplied by
  float least, most;   // of weights after the step
};

struct StepState {
  float* weights;
  const float* gradient;
  float* mean;     // of gradients
  float* square;   // of gradients, the mean of
  float* largest;  // of the squares' means so far; null: not kept
};

struct FloatKernels {
  const char* name;

  // out[p * stride + i] = bias[i] + the sum of position p's rows, clipped to 0..1.
  void (*sum_rows)(const ActiveRows& on, const float* bias, const float* rows, float* out, std::size_t stride);
  // Adds gradient[p * stride + i] to the rows of position p and to the bias, for columns `from` <= i < `to`, multiples
  // of kColumns. Positions in order.
  void (*add_rows)(const ActiveRows& on, const float* gradient, std::size_t stride, std::size_t from, std::size_t to,
                   float* rows, float* bias);
  // c (m x n) += a (m x k) times b (k x n); rows of b and c lie `b_row` and `c_row` floats apart.
  void (*multiply)(const Strided& a, const float* b, std::size_t b_row, float* c, std::size_t c_row, std::size_t m,
                   std::size_t k, std::size_t n);
  // Limits values to 0..1.
  void (*clip)(float* values, std::size_t count);
  // What a gradient is before the clipping that gave `values`: 0 where they are at a limit.
  void (*through_clip)(const float* values, float* gradient, std::size_t count);
  void (*step)(const StepSizes& sizes, const StepState& state, std::size_t count);
};

extern const FloatKernels kPlainFloatKernels;
#if defined(__x86_64__)
extern const FloatKernels kAvx2FloatKernels, kAvx512FloatKernels;
#endif

}  // namespace fuhyo::learn
