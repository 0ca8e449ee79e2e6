// The kernels of training for any machine: vectors of 16 bytes, which the compiler makes of whatever there is.
#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {
namespace {

constexpr std::size_t kBytes = 16;
constexpr std::size_t kRows = 6;

}  // namespace
}  // namespace fuhyo::learn

#include "engines/learn/train/kernels_body.h"

namespace fuhyo::learn {
const FloatKernels kPlainFloatKernels = {"plain", sum_rows, add_rows, multiply, clip, through_clip, step};
}  // namespace fuhyo::learn
