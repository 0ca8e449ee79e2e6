#include "engines/learn/policy/choice.h"

#include <algorithm>
#include <vector>

#include "engines/machine/kernel_choice.h"
#include "engines/nn/choice.h"

namespace fuhyo::learn::policy {
namespace {

// Those whose kernels of evaluation run here.
std::vector<const Kernels*> find_here() {
  std::vector<const Kernels*> found;
  const auto here = nn::kernels_here();
  for (const Kernels* kernels : {
#if defined(__x86_64__)
           &kAvx512Kernels, &kAvx2Kernels,
#endif
           &kPlainKernels}) {
    if (std::ranges::find(here, kernels->forward) != here.end()) found.push_back(kernels);
  }
  return found;
}

}  // namespace

std::span<const Kernels* const> kernels_here() {
  static const std::vector<const Kernels*> found = find_here();
  return found;
}

std::expected<const Kernels*, std::string> choose_kernels(std::string_view name) {
  return machine::choose_kernels(kernels_here(), "--kernels", name);
}

}  // namespace fuhyo::learn::policy
