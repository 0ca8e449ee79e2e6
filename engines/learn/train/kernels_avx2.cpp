// The kernels of training for AVX2 and FMA (x86-64 since 2013). Compiled with instructions that the rest of the
// program may not use.
#if defined(__x86_64__)
#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {
namespace {

constexpr std::size_t kBytes = 32;
constexpr std::size_t kRows = 6;

}  // namespace
}  // namespace fuhyo::learn

#include "engines/learn/train/kernels_body.h"

namespace fuhyo::learn {
const FloatKernels kAvx2FloatKernels = {"avx2", sum_rows, add_rows, multiply, clip, through_clip, step};
}  // namespace fuhyo::learn
#endif
