#include "engines/learn/train/choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace fuhyo::learn {
namespace {

std::vector<const FloatKernels*> find_here() {
  std::vector<const FloatKernels*> found;
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    found.push_back(&kAvx512FloatKernels);
  }
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
  const auto here = float_kernels_here();
  if (name == "auto") return here.front();
  const auto found = std::ranges::find(here, name, [](const FloatKernels* kernels) { return kernels->name; });
  if (found != here.end()) return *found;
  std::string names = "auto";
  for (const FloatKernels* kernels : here) names += std::string(", ") + kernels->name;
  return std::unexpected(fmt::format("this machine cannot run the kernels '{}'; it can run {}", name, names));
}

}  // namespace fuhyo::learn
