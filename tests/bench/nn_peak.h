// The rate of fused multiplications and additions in registers: what no network can exceed. Any thread.
#pragma once

#include <string_view>

namespace fuhyo::bench {

// Computes for some tens of microseconds with the instructions of these kernels, and returns the number of
// multiplications and additions.
double peak_flops(std::string_view kernels);

}  // namespace fuhyo::bench
