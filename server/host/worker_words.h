// The words of the lines between a server and its workers (WORKERS.md). Pure; any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engines/usi/text.h"

namespace fuhyo::host {

// The next word as a number that is not negative; what follows the blank behind it stays in `rest`.
inline std::optional<std::uint64_t> next_number(std::string_view& rest) {
  const std::string_view word = usi::next_word(rest);
  if (word.starts_with('+')) return std::nullopt;
  const auto number = usi::to_integer(word);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

// The rest of a line behind its words: all after one blank, as it is.
inline std::string_view text_of(std::string_view rest) {
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest;
}

template <std::integral... Numbers>
std::string worker_line(std::string_view word, Numbers... numbers) {
  std::string line(word);
  ((line += ' ', line += std::to_string(numbers)), ...);
  return line;
}

}  // namespace fuhyo::host
