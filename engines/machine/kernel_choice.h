// Chooses the kernels of one instruction set. Kernels are any type with a `name`. Any thread.
#pragma once

#include <algorithm>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::machine {

#if defined(__x86_64__)
constexpr std::string_view kProcessor = "x86-64";
#elif defined(__aarch64__)
constexpr std::string_view kProcessor = "64-bit ARM";
#else
constexpr std::string_view kProcessor = "this kind of processor";
#endif

#if defined(__x86_64__)
// Whether the processor has what our kernels of AVX-512 are compiled for.
inline bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

// `here`: the sets that this machine can run, the fastest first. "auto" is the first. An error says why a name, which
// was given to the option `option`, cannot be had.
template <class Kernels>
std::expected<const Kernels*, std::string> choose_kernels(std::span<const Kernels* const> here, std::string_view option,
                                                          std::string_view name) {
  if (name == "auto") return here.front();
  const auto found = std::ranges::find(here, name, [](const Kernels* kernels) { return kernels->name; });
  if (found != here.end()) return *found;
  std::string names = "auto";
  for (const Kernels* kernels : here) names += std::string(", ") + kernels->name;
  return std::unexpected(std::string(option) + ": this machine (" + std::string(kProcessor) + ") cannot run '" +
                         std::string(name) + "'; it can run " + names);
}

}  // namespace fuhyo::machine
