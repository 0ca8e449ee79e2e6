// The kernels for SSE4.1 (x86-64 since 2008). Compiled with instructions that the rest of the program may not use.
#if defined(__x86_64__)
#include <immintrin.h>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {

constexpr std::size_t kBytes = 16;
using Vec = __m128i;

inline Vec load(const void* at) { return _mm_load_si128(static_cast<const __m128i*>(at)); }
inline void store(void* at, Vec v) { _mm_store_si128(static_cast<__m128i*>(at), v); }
inline Vec add16(Vec a, Vec b) { return _mm_add_epi16(a, b); }
inline Vec sub16(Vec a, Vec b) { return _mm_sub_epi16(a, b); }
inline Vec set32(std::int32_t value) { return _mm_set1_epi32(value); }
inline Vec dot(Vec sum, Vec x, Vec w) {
  return _mm_add_epi32(sum, _mm_madd_epi16(_mm_maddubs_epi16(x, w), _mm_set1_epi16(1)));
}
inline Vec dot2(Vec sum, Vec x, Vec w, Vec y, Vec u) {
  const Vec products = _mm_add_epi16(_mm_maddubs_epi16(x, w), _mm_maddubs_epi16(y, u));
  return _mm_add_epi32(sum, _mm_madd_epi16(products, _mm_set1_epi16(1)));
}
inline std::int32_t sum32(Vec v) {
  const __m128i two = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
inline Vec clip_pack(Vec a, Vec b) { return _mm_max_epi8(_mm_packs_epi16(a, b), _mm_setzero_si128()); }
inline void clip16(const std::int32_t* in, std::uint8_t* out) {
  const Vec low = _mm_packs_epi32(_mm_srai_epi32(load(in), 6), _mm_srai_epi32(load(in + 4), 6));
  const Vec high = _mm_packs_epi32(_mm_srai_epi32(load(in + 8), 6), _mm_srai_epi32(load(in + 12), 6));
  store(out, clip_pack(low, high));
}
// A negative second factor gives a negative product, which packing makes 0.
inline Vec multiply_pack(Vec a0, Vec a1, Vec b0, Vec b1) {
  const Vec most = _mm_set1_epi16(254), zero = _mm_setzero_si128();
  const Vec x0 = _mm_slli_epi16(_mm_max_epi16(_mm_min_epi16(a0, most), zero), 7);
  const Vec x1 = _mm_slli_epi16(_mm_max_epi16(_mm_min_epi16(a1, most), zero), 7);
  return _mm_packus_epi16(_mm_mulhi_epi16(x0, _mm_min_epi16(b0, most)), _mm_mulhi_epi16(x1, _mm_min_epi16(b1, most)));
}
inline std::uint32_t nonzero_blocks(const std::uint8_t* in) {
  const Vec low = _mm_cmpgt_epi32(load(in), _mm_setzero_si128());
  const Vec high = _mm_cmpgt_epi32(load(in + 16), _mm_setzero_si128());
  return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(low)) | _mm_movemask_ps(_mm_castsi128_ps(high))
                                                                                 << 4);
}

}  // namespace
}  // namespace fuhyo::nnue

#include "engines/nnue/net/kernels_body.h"

namespace fuhyo::nnue {
const Kernels kSse41Kernels = {"sse41", update, classic, pairwise};
}  // namespace fuhyo::nnue
#endif
