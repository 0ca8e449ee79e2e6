// Which kernels of learning this machine can run. Any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "engines/learn/policy/kernels.h"

namespace fuhyo::learn::policy {

// The fastest first; "plain" is always among them.
std::span<const Kernels* const> kernels_here();

// "auto" is the first of them. An error names what can be chosen.
std::expected<const Kernels*, std::string> choose_kernels(std::string_view name);

}  // namespace fuhyo::learn::policy
