// What every fuzz target shares: the entry point that libFuzzer calls, and a check that says where it failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <source_location>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuhyo::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, std::string_view what, std::source_location where = std::source_location::current()) {
  if (holds) return;
  fmt::print(stderr, "{}:{}: does not hold: {}\n", where.file_name(), where.line(), what);
  std::abort();
}

}  // namespace fuhyo::fuzz
