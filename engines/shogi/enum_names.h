// Enumerations that have a word for each value, in the order of the values, which count from zero. Pure.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace fuhyo::shogi {

// The value of a word; nothing if it is none of them.
template <class Enum>
std::optional<Enum> value_named(std::span<const std::string_view> names, std::string_view word) {
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace fuhyo::shogi
