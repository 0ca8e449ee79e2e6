#include "engines/nnue/net/choice.h"

#include "engines/machine/kernel_choice.h"

namespace fuhyo::nnue {
namespace {

#if defined(__x86_64__)
std::vector<const Kernels*> find_here() {
  std::vector<const Kernels*> found;
  if (machine::has_avx512() && __builtin_cpu_supports("avx512vnni")) found.push_back(&kAvx512Kernels);
  if (__builtin_cpu_supports("avx2")) found.push_back(&kAvx2Kernels);
  if (__builtin_cpu_supports("sse4.1")) found.push_back(&kSse41Kernels);
  found.push_back(&kPlainKernels);
  return found;
}
#elif defined(__aarch64__)
std::vector<const Kernels*> find_here() { return {&kNeonKernels, &kPlainKernels}; }
#else
std::vector<const Kernels*> find_here() { return {&kPlainKernels}; }
#endif

}  // namespace

std::span<const Kernels* const> kernels_here() {
  static const std::vector<const Kernels*> found = find_here();
  return found;
}

std::vector<std::string> kernel_choices() { return {"auto", "plain", "sse41", "avx2", "avx512", "neon"}; }

std::expected<const Kernels*, std::string> choose_kernels(std::string_view name) {
  return machine::choose_kernels(kernels_here(), "SimdPath", name);
}

}  // namespace fuhyo::nnue
