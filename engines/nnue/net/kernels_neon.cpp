// The kernels for NEON, which every 64-bit ARM has.
#if defined(__aarch64__)
#include "engines/nnue/net/kernels_neon_body.h"

namespace fuhyo::nnue {
namespace {

inline Vec dot(Vec sum, Vec x, Vec w) {
  const int8x16_t inputs = vreinterpretq_s8_s16(x), weights = vreinterpretq_s8_s16(w);
  const int16x8_t low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
  const int16x8_t high = vmull_high_s8(inputs, weights);
  return vreinterpretq_s16_s32(vpadalq_s16(vreinterpretq_s32_s16(sum), vpaddq_s16(low, high)));
}

inline Vec dot2(Vec sum, Vec x, Vec w, Vec y, Vec u) { return dot(dot(sum, x, w), y, u); }

}  // namespace
}  // namespace fuhyo::nnue

#include "engines/nnue/net/kernels_body.h"

namespace fuhyo::nnue {
const Kernels kNeonKernels = {"neon", update, classic, pairwise};
}  // namespace fuhyo::nnue
#endif
