// The kernels for AVX2 with FMA (x86-64 since 2013): 4 inputs x 16 outputs fill 8 of the 16 registers.
#if defined(__x86_64__)
#define FUHYO_LEARN_LANES 8
#define FUHYO_LEARN_ROWS 4
#include "engines/learn/policy/kernels_body.h"

namespace fuhyo::learn::policy {
constinit const Kernels kAvx2Kernels = kernels("avx2", &nn::kAvx2Kernels);
}  // namespace fuhyo::learn::policy
#endif
