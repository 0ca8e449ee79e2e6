// Small pieces of text handling that every parser of this room shares. Pure; any thread.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engines/shogi/number.h"

namespace fuhyo::usi {

// Takes the first word off `rest`; words are separated by blanks, tabs and stray carriage returns. Empty at the end.
inline std::string_view next_word(std::string_view& rest) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = rest.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) {
    rest = {};
    return {};
  }
  const std::size_t end = rest.find_first_of(kBlank, begin);
  const std::string_view word = rest.substr(begin, end - begin);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
  return word;
}

// The first word without taking it.
inline std::string_view peek_word(std::string_view rest) { return next_word(rest); }

inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Names of options and their choices ignore case, as GUIs and engines differ.
inline bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// A whole word that is a decimal number, with an optional sign ("+5" occurs in "score mate +5").
inline std::optional<std::int64_t> to_integer(std::string_view word) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-')) return std::nullopt;
  }
  return shogi::number_of<std::int64_t>(word);
}

}  // namespace fuhyo::usi
