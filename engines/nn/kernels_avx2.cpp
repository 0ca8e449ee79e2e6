// The kernels for AVX2 with FMA (x86-64 since 2013): 6 rows x 16 outputs fill 12 of the 16 registers.
#if defined(__x86_64__)
#define FUHYO_NN_LANES 8
#define FUHYO_NN_WIDTH 16
#define FUHYO_NN_ROWS 6
#include "engines/nn/kernels_body.h"

namespace fuhyo::nn {
constinit const Kernels kAvx2Kernels = kernels("avx2");
}  // namespace fuhyo::nn
#endif
