// The kernels for AVX-512 (x86-64 servers since 2017, Zen 4 on): 12 rows x 32 outputs fill 24 of the 32 registers.
#if defined(__x86_64__)
#define FUHYO_NN_LANES 16
#define FUHYO_NN_WIDTH 32
#define FUHYO_NN_ROWS 12
#include "engines/nn/kernels_body.h"

namespace fuhyo::nn {
constinit const Kernels kAvx512Kernels = kernels("avx512");
}  // namespace fuhyo::nn
#endif
