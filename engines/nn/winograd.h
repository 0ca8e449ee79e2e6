// Winograd's F(3x3, 3x3) with the points 0, 1, -1, 2 and infinity: what becomes of inputs, weights and results. For
// floats and vectors of them, on any processor.
//
// Everything is in a namespace without a name: each set of kernels is compiled for an instruction set of its own.
#pragma once

#include <cstddef>

#ifdef __CUDACC__
#define FUHYO_NN_INLINE __device__ __forceinline__
#else
#define FUHYO_NN_INLINE inline
#endif

namespace fuhyo::nn {
namespace {

// in[0], in[kStep] ... in[4 * kStep] by the transform of inputs; over themselves.
template <std::size_t kStep, class Number>
FUHYO_NN_INLINE void transform_in(Number* d) {
  const Number d0 = d[0], d1 = d[kStep], d2 = d[2 * kStep], d3 = d[3 * kStep], d4 = d[4 * kStep];
  const Number even = d3 - d1;
  d[0] = 2.F * (d0 - d2) + even;
  d[kStep] = (d3 - d2) - 2.F * d1;
  d[2 * kStep] = 2.F * d1 + (d3 - 3.F * d2);
  d[3 * kStep] = even;
  d[4 * kStep] = (d4 - d2) - 2.F * even;
}

// Five sums become three results.
template <std::size_t kStep, std::size_t kOutStep, class Number>
FUHYO_NN_INLINE void transform_out(const Number* s, Number* out) {
  const Number plus = s[kStep] + s[2 * kStep], minus = s[kStep] - s[2 * kStep];
  out[0] = s[0] + plus + s[3 * kStep];
  out[kOutStep] = 2.F * s[3 * kStep] + minus;
  out[2 * kOutStep] = 4.F * s[3 * kStep] + plus + s[4 * kStep];
}

}  // namespace
}  // namespace fuhyo::nn
