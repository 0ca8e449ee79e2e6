// Numbers in lines of words, as the files of states keep them: shortest decimal notation that reads back to the same
// bits. Pure; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/number.h"
#include "engines/usi/text.h"

namespace fuhyo::match::tune {

// A whole word that is a finite number.
inline std::optional<double> to_number(std::string_view word) {
  const auto value = shogi::number_of<double>(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// A whole word that is a natural number.
inline std::optional<std::uint64_t> to_natural(std::string_view word) { return shogi::number_of<std::uint64_t>(word); }

// A whole word that is a count: a natural number that is no nonsense.
inline std::optional<std::int64_t> to_count(std::string_view word) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  const std::optional<std::uint64_t> number = to_natural(word);
  if (!number || *number > kMost) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

// Takes the first line off, without its end.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Takes so many numbers off a line; nothing if there are fewer.
inline std::optional<std::vector<double>> take_numbers(std::string_view& rest, std::size_t count) {
  std::vector<double> numbers;
  while (numbers.size() < count) {
    const std::optional<double> number = to_number(usi::next_word(rest));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

// Appends " 1 2.5 ...".
void append_numbers(std::string& text, const std::vector<double>& numbers);

}  // namespace fuhyo::match::tune
