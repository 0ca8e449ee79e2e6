#include "engines/nn/choice.h"

#include "engines/machine/kernel_choice.h"

namespace fuhyo::nn {
namespace {

std::vector<const Kernels*> find_here() {
  std::vector<const Kernels*> found;
#if defined(__x86_64__)
  if (machine::has_avx512()) found.push_back(&kAvx512Kernels);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(&kAvx2Kernels);
#elif defined(__aarch64__)
  found.push_back(&kNeonKernels);
#endif
  found.push_back(&kPlainKernels);
  return found;
}

}  // namespace

std::span<const Kernels* const> kernels_here() {
  static const std::vector<const Kernels*> found = find_here();
  return found;
}

std::vector<std::string> kernel_choices() { return {"auto", "plain", "avx2", "avx512", "neon"}; }

std::expected<const Kernels*, std::string> choose_kernels(std::string_view name) {
  return machine::choose_kernels(kernels_here(), "SimdPath", name);
}

}  // namespace fuhyo::nn
