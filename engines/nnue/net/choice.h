// Which kernels this machine can run, and which of them an engine uses. Any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {

// Those in this program that this machine can run, the fastest first; the plain ones are always among them.
std::span<const Kernels* const> kernels_here();

// What SimdPath may say, on any machine.
std::vector<std::string> kernel_choices();

// "auto" is the fastest. An error says why a name cannot be had here.
std::expected<const Kernels*, std::string> choose_kernels(std::string_view name);

}  // namespace fuhyo::nnue
