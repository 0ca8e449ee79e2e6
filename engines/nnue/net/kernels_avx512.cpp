// The kernels for AVX-512 with VNNI (x86-64: Ice Lake and Zen 4 on). Compiled with instructions that the rest of the
// program may not use.
#if defined(__x86_64__)
#include <immintrin.h>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {

constexpr std::size_t kBytes = 64;
using Vec = __m512i;

inline Vec load(const void* at) { return _mm512_load_si512(at); }
inline void store(void* at, Vec v) { _mm512_store_si512(at, v); }
inline Vec add16(Vec a, Vec b) { return _mm512_add_epi16(a, b); }
inline Vec sub16(Vec a, Vec b) { return _mm512_sub_epi16(a, b); }
inline Vec set32(std::int32_t value) { return _mm512_set1_epi32(value); }
inline Vec dot(Vec sum, Vec x, Vec w) { return _mm512_dpbusd_epi32(sum, x, w); }
inline Vec dot2(Vec sum, Vec x, Vec w, Vec y, Vec u) { return dot(dot(sum, x, w), y, u); }
inline std::int32_t sum32(Vec v) { return _mm512_reduce_add_epi32(v); }
// Packing works within quarters of a vector.
inline Vec in_order(Vec packed) { return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed); }
inline Vec clip_pack(Vec a, Vec b) {
  return in_order(_mm512_max_epi8(_mm512_packs_epi16(a, b), _mm512_setzero_si512()));
}
inline void clip16(const std::int32_t* in, std::uint8_t* out) {
  const Vec positive = _mm512_max_epi32(_mm512_srai_epi32(load(in), 6), _mm512_setzero_si512());
  _mm_store_si128(reinterpret_cast<__m128i*>(out), _mm512_cvtsepi32_epi8(positive));
}
// A negative second factor gives a negative product, which packing makes 0.
inline Vec multiply_pack(Vec a0, Vec a1, Vec b0, Vec b1) {
  const Vec most = _mm512_set1_epi16(254), zero = _mm512_setzero_si512();
  const Vec x0 = _mm512_slli_epi16(_mm512_max_epi16(_mm512_min_epi16(a0, most), zero), 7);
  const Vec x1 = _mm512_slli_epi16(_mm512_max_epi16(_mm512_min_epi16(a1, most), zero), 7);
  const Vec p0 = _mm512_mulhi_epi16(x0, _mm512_min_epi16(b0, most));
  const Vec p1 = _mm512_mulhi_epi16(x1, _mm512_min_epi16(b1, most));
  return in_order(_mm512_packus_epi16(p0, p1));
}
inline std::uint32_t nonzero_blocks(const std::uint8_t* in) {
  const __m256i blocks = _mm256_load_si256(reinterpret_cast<const __m256i*>(in));
  return _mm256_test_epi32_mask(blocks, blocks);
}

}  // namespace
}  // namespace fuhyo::nnue

#include "engines/nnue/net/kernels_body.h"

namespace fuhyo::nnue {
const Kernels kAvx512Kernels = {"avx512", update, classic, pairwise};
}  // namespace fuhyo::nnue
#endif
