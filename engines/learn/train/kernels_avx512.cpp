// The kernels of training for AVX-512 (x86-64: Skylake servers and Zen 4 on). Compiled with instructions that the rest
// of the program may not use.
#if defined(__x86_64__)
#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {
namespace {

constexpr std::size_t kBytes = 64;
constexpr std::size_t kRows = 12;

}  // namespace
}  // namespace fuhyo::learn

#include "engines/learn/train/kernels_body.h"

namespace fuhyo::learn {
const FloatKernels kAvx512FloatKernels = {"avx512", sum_rows, add_rows, multiply, clip, through_clip, step};
}  // namespace fuhyo::learn
#endif
