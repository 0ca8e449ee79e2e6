// Chooses the kernels of an engine. Any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {

// The kernels that this machine can run, the fastest first; always with the plain ones.
std::span<const Kernels* const> kernels_here();

// The values of SimdPath, on any machine.
std::vector<std::string> kernel_choices();

// "auto" is the fastest. An error says why this machine cannot run `name`.
std::expected<const Kernels*, std::string> choose_kernels(std::string_view name);

}  // namespace fuhyo::nnue
