// Numbers of things in English. Pure; usable from any thread.
#pragma once

#include <concepts>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace fuhyo::record {

// "1 game", "2 games": of a word whose plural ends in s.
std::string counted(std::integral auto count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace fuhyo::record
