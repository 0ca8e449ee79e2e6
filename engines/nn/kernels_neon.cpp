// The kernels for NEON, which every 64-bit ARM has: 5 rows x 16 outputs fill 20 of the 32 registers.
#if defined(__aarch64__)
#define FUHYO_NN_LANES 4
#define FUHYO_NN_WIDTH 16
#define FUHYO_NN_ROWS 5
#include "engines/nn/kernels_body.h"

namespace fuhyo::nn {
constinit const Kernels kNeonKernels = kernels("neon");
}  // namespace fuhyo::nn
#endif
