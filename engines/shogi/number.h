// Numbers in text, as std::from_chars() reads them: a minus sign at most before the digits, no blanks. Pure.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace fuhyo::shogi {

// The number at the beginning of `text`, which goes on behind it. Nothing, and `text` stays: there is none, or none
// that fits into T.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// The number that is all of `text`.
template <class T>
std::optional<T> number_of(std::string_view text) {
  const auto number = take_number<T>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace fuhyo::shogi
