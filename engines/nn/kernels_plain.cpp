// The kernels for any machine, in vectors of four that the compiler makes of what it has.
#define FUHYO_NN_LANES 4
#define FUHYO_NN_WIDTH 16
#define FUHYO_NN_ROWS 2
#include "engines/nn/kernels_body.h"

namespace fuhyo::nn {
constinit const Kernels kPlainKernels = kernels("plain");
}  // namespace fuhyo::nn
