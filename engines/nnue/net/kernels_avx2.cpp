// The kernels for AVX2 (x86-64 since 2013). Compiled with instructions that the rest of the program may not use.
#if defined(__x86_64__)
#include <immintrin.h>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {

constexpr std::size_t kBytes = 32;
using Vec = __m256i;

inline Vec load(const void* at) { return _mm256_load_si256(static_cast<const __m256i*>(at)); }
inline void store(void* at, Vec v) { _mm256_store_si256(static_cast<__m256i*>(at), v); }
inline Vec add16(Vec a, Vec b) { return _mm256_add_epi16(a, b); }
inline Vec sub16(Vec a, Vec b) { return _mm256_sub_epi16(a, b); }
inline Vec set32(std::int32_t value) { return _mm256_set1_epi32(value); }
inline Vec dot(Vec sum, Vec x, Vec w) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), _mm256_set1_epi16(1)));
}
inline Vec dot2(Vec sum, Vec x, Vec w, Vec y, Vec u) {
  const Vec products = _mm256_add_epi16(_mm256_maddubs_epi16(x, w), _mm256_maddubs_epi16(y, u));
  return _mm256_add_epi32(sum, _mm256_madd_epi16(products, _mm256_set1_epi16(1)));
}
inline std::int32_t sum32(Vec v) {
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
// Packing works within halves of a vector: its quarters come out as 0, 2, 1, 3.
inline Vec clip_pack(Vec a, Vec b) {
  const Vec packed = _mm256_max_epi8(_mm256_packs_epi16(a, b), _mm256_setzero_si256());
  return _mm256_permute4x64_epi64(packed, 0xd8);
}
inline void clip16(const std::int32_t* in, std::uint8_t* out) {
  const Vec shorts = _mm256_packs_epi32(_mm256_srai_epi32(load(in), 6), _mm256_srai_epi32(load(in + 8), 6));
  const Vec ordered = _mm256_permute4x64_epi64(shorts, 0xd8);
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(ordered), _mm256_extracti128_si256(ordered, 1));
  _mm_store_si128(reinterpret_cast<__m128i*>(out), _mm_max_epi8(bytes, _mm_setzero_si128()));
}
// A negative second factor gives a negative product, which packing makes 0.
inline Vec multiply_pack(Vec a0, Vec a1, Vec b0, Vec b1) {
  const Vec most = _mm256_set1_epi16(254), zero = _mm256_setzero_si256();
  const Vec x0 = _mm256_slli_epi16(_mm256_max_epi16(_mm256_min_epi16(a0, most), zero), 7);
  const Vec x1 = _mm256_slli_epi16(_mm256_max_epi16(_mm256_min_epi16(a1, most), zero), 7);
  const Vec p0 = _mm256_mulhi_epi16(x0, _mm256_min_epi16(b0, most));
  const Vec p1 = _mm256_mulhi_epi16(x1, _mm256_min_epi16(b1, most));
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(p0, p1), 0xd8);
}
inline std::uint32_t nonzero_blocks(const std::uint8_t* in) {
  const Vec positive = _mm256_cmpgt_epi32(load(in), _mm256_setzero_si256());
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(positive)));
}

}  // namespace
}  // namespace fuhyo::nnue

#include "engines/nnue/net/kernels_body.h"

namespace fuhyo::nnue {
const Kernels kAvx2Kernels = {"avx2", update, classic, pairwise};
}  // namespace fuhyo::nnue
#endif
