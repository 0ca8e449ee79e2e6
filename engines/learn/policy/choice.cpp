#include "engines/learn/policy/choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

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
  const auto here = kernels_here();
  if (name == "auto") return here.front();
  const auto found = std::ranges::find(here, name, [](const Kernels* kernels) { return kernels->name; });
  if (found != here.end()) return *found;
  std::string names = "auto";
  for (const Kernels* kernels : here) names += std::string(", ") + kernels->name;
  return std::unexpected(fmt::format("this machine cannot run the kernels '{}'; it can run {}", name, names));
}

}  // namespace fuhyo::learn::policy
