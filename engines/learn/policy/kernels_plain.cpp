// The kernels for any processor, in vectors of four.
#define FUHYO_LEARN_LANES 4
#define FUHYO_LEARN_ROWS 4
#include "engines/learn/policy/kernels_body.h"

namespace fuhyo::learn::policy {
constinit const Kernels kPlainKernels = kernels("plain", &nn::kPlainKernels);
}  // namespace fuhyo::learn::policy
