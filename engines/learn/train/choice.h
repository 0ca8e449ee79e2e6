// Which kernels of training this machine can run. Any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {

// The fastest first; "plain" is always among them.
std::span<const FloatKernels* const> float_kernels_here();

// "auto" is the first of them. An error names what can be chosen.
std::expected<const FloatKernels*, std::string> choose_float_kernels(std::string_view name);

}  // namespace fuhyo::learn
