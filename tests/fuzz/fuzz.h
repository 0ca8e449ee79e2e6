// What every fuzz target shares: the entry point that libFuzzer calls, and a check that says where it failed.
#pragma once

#include <algorithm>
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

// What says why something is refused: there is something, and a terminal can show it as one line.
inline void require_reason(std::string_view why, std::source_location where = std::source_location::current()) {
  require(!why.empty(), "a refusal says why", where);
  require(std::ranges::none_of(why, [](unsigned char c) { return c < 0x20 || c == 0x7f; }), why, where);
}

// The next line, which `rest` is rid of then.
inline std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

}  // namespace fuhyo::fuzz
