// The rate of fused multiplications and additions in registers: what no network can exceed. Any thread.
#pragma once

#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fuhyo::bench {

constexpr int kSteps = 2000;
inline volatile float kept;  // so that nothing is left out

// Twelve chains of additions, more than any processor can have under way.
constexpr int kChains = 12;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) inline double avx512() {
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 x = _mm512_set1_ps(0.9999F), y = _mm512_set1_ps(0.0001F);
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], x, y);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
  kept = _mm512_cvtss_f32(sums[0]);
  return 2.0 * 16 * kChains * kSteps;
}

__attribute__((target("avx2,fma"))) inline double avx2() {
  __m256 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 x = _mm256_set1_ps(0.9999F), y = _mm256_set1_ps(0.0001F);
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], x, y);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm256_add_ps(sums[0], sums[i]);
  kept = _mm256_cvtss_f32(sums[0]);
  return 2.0 * 8 * kChains * kSteps;
}
#endif

inline double portable() {
  using Vec = float __attribute__((ext_vector_type(4)));
  Vec sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = static_cast<Vec>(static_cast<float>(i));
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) sums[i] = sums[i] * 0.9999F + 0.0001F;
  }
  for (int i = 1; i < kChains; ++i) sums[0] += sums[i];
  kept = sums[0][0];
  return 2.0 * 4 * kChains * kSteps;
}

// Computes for some tens of microseconds with the instructions of these kernels, and returns the number of
// multiplications and additions.
inline double peak_flops(std::string_view kernels) {
#if defined(__x86_64__)
  if (kernels == "avx512") return avx512();
  if (kernels == "avx2") return avx2();
#endif
  (void)kernels;
  return portable();
}

}  // namespace fuhyo::bench
