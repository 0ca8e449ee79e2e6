// The kernels for AVX-512 F, BW, DQ and VL: 8 inputs x 32 outputs fill 16 of the 32 registers.
#if defined(__x86_64__)
#define FUHYO_LEARN_LANES 16
#define FUHYO_LEARN_ROWS 8
#include "engines/learn/policy/kernels_body.h"

namespace fuhyo::learn::policy {
constinit const Kernels kAvx512Kernels = kernels("avx512", &nn::kAvx512Kernels);
}  // namespace fuhyo::learn::policy
#endif
