// The vector type of ARM's NEON, for the files that define `dot` and include this. See kernels_body.h.
#pragma once

#include <arm_neon.h>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {
namespace {

constexpr std::size_t kBytes = 16;
using Vec = int16x8_t;

inline Vec load(const void* at) { return vld1q_s16(static_cast<const std::int16_t*>(at)); }
inline void store(void* at, Vec v) { vst1q_s16(static_cast<std::int16_t*>(at), v); }
inline Vec add16(Vec a, Vec b) { return vaddq_s16(a, b); }
inline Vec sub16(Vec a, Vec b) { return vsubq_s16(a, b); }
inline Vec set32(std::int32_t value) { return vreinterpretq_s16_s32(vdupq_n_s32(value)); }
inline std::int32_t sum32(Vec v) { return vaddvq_s32(vreinterpretq_s32_s16(v)); }
inline Vec clip_pack(Vec a, Vec b) {
  const int8x16_t packed = vcombine_s8(vqmovn_s16(a), vqmovn_s16(b));
  return vreinterpretq_s16_s8(vmaxq_s8(packed, vdupq_n_s8(0)));
}
inline void clip16(const std::int32_t* in, std::uint8_t* out) {
  const auto four = [in](int at) { return vqmovn_s32(vshrq_n_s32(vld1q_s32(in + at), 6)); };
  store(out, clip_pack(vcombine_s16(four(0), four(4)), vcombine_s16(four(8), four(12))));
}
// The doubling multiplication takes the high half of 2 * (x << 6) * b. A negative second factor gives a negative
// product, which packing makes 0.
inline Vec multiply_pack(Vec a0, Vec a1, Vec b0, Vec b1) {
  const Vec most = vdupq_n_s16(254), zero = vdupq_n_s16(0);
  const Vec x0 = vshlq_n_s16(vmaxq_s16(vminq_s16(a0, most), zero), 6);
  const Vec x1 = vshlq_n_s16(vmaxq_s16(vminq_s16(a1, most), zero), 6);
  const Vec p0 = vqdmulhq_s16(x0, vminq_s16(b0, most));
  const Vec p1 = vqdmulhq_s16(x1, vminq_s16(b1, most));
  return vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(p0), vqmovun_s16(p1)));
}
inline std::uint32_t nonzero_blocks(const std::uint8_t* in) {
  constexpr std::uint32_t kLow[4] = {1, 2, 4, 8}, kHigh[4] = {16, 32, 64, 128};
  const uint32x4_t low = vreinterpretq_u32_s16(load(in)), high = vreinterpretq_u32_s16(load(in + 16));
  const uint32x4_t bits =
      vorrq_u32(vandq_u32(vtstq_u32(low, low), vld1q_u32(kLow)), vandq_u32(vtstq_u32(high, high), vld1q_u32(kHigh)));
  return vaddvq_u32(bits);
}

}  // namespace
}  // namespace fuhyo::nnue
