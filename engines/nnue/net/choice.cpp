#include "engines/nnue/net/choice.h"

#include <algorithm>

namespace fuhyo::nnue {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kProcessor = "x86-64";

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}

std::vector<const Kernels*> find_here() {
  std::vector<const Kernels*> found;
  if (has_avx512()) found.push_back(&kAvx512Kernels);
  if (__builtin_cpu_supports("avx2")) found.push_back(&kAvx2Kernels);
  if (__builtin_cpu_supports("sse4.1")) found.push_back(&kSse41Kernels);
  found.push_back(&kPlainKernels);
  return found;
}
#elif defined(__aarch64__)
constexpr std::string_view kProcessor = "64-bit ARM";

std::vector<const Kernels*> find_here() { return {&kNeonKernels, &kPlainKernels}; }
#else
constexpr std::string_view kProcessor = "this kind of processor";

std::vector<const Kernels*> find_here() { return {&kPlainKernels}; }
#endif

}  // namespace

std::span<const Kernels* const> kernels_here() {
  static const std::vector<const Kernels*> found = find_here();
  return found;
}

std::vector<std::string> kernel_choices() { return {"auto", "plain", "sse41", "avx2", "avx512", "neon"}; }

std::expected<const Kernels*, std::string> choose_kernels(std::string_view name) {
  const auto here = kernels_here();
  if (name == "auto") return here.front();
  const auto found = std::ranges::find(here, name, [](const Kernels* kernels) { return kernels->name; });
  if (found != here.end()) return *found;
  std::string names = "auto";
  for (const Kernels* kernels : here) names += std::string(", ") + kernels->name;
  return std::unexpected("SimdPath: this machine (" + std::string(kProcessor) + ") cannot run '" + std::string(name) +
                         "'; it can run " + names);
}

}  // namespace fuhyo::nnue
