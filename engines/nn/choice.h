// Which kernels this machine can run, and which of them a back end uses. Any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nn/kernels.h"

namespace fuhyo::nn {

// Those in this program that this machine can run, the fastest first; the plain ones are always among them.
std::span<const Kernels* const> kernels_here();

// What an option may say, on any machine.
std::vector<std::string> kernel_choices();

// "auto" is the fastest. An error says why a name cannot be had here.
std::expected<const Kernels*, std::string> choose_kernels(std::string_view name);

}  // namespace fuhyo::nn
