#include "engines/learn/train/choice.h"

#include <vector>

#include "engines/machine/kernel_choice.h"

namespace fuhyo::learn {
namespace {

std::vector<const FloatKernels*> find_here() {
  std::vector<const FloatKernels*> found;
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2 && machine::has_avx512()) found.push_back(&kAvx512FloatKernels);
  if (has_avx2) found.push_back(&kAvx2FloatKernels);
#endif
  found.push_back(&kPlainFloatKernels);
  return found;
}

}  // namespace

std::span<const FloatKernels* const> float_kernels_here() {
  static const std::vector<const FloatKernels*> found = find_here();
  return found;
}

std::expected<const FloatKernels*, std::string> choose_float_kernels(std::string_view name) {
  return machine::choose_kernels(float_kernels_here(), "--kernels", name);
}

}  // namespace fuhyo::learn
