#include "engines/match/declared_option.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

std::optional<std::string> wrong_number(std::string_view rest, std::string_view value) {
  std::optional<std::int64_t> min, max;
  for (std::string_view word = usi::next_word(rest); !word.empty(); word = usi::next_word(rest)) {
    if (word == "min") min = usi::to_integer(usi::next_word(rest));
    if (word == "max") max = usi::to_integer(usi::next_word(rest));
  }
  const auto number = usi::to_integer(value);
  if (!min || !max || (number && *number >= *min && *number <= *max)) return std::nullopt;
  return fmt::format("a number from {} to {}", *min, *max);
}

bool same(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// Choices may hold blanks: each goes on to the next "var".
std::optional<std::string> wrong_choice(std::string_view rest, std::string_view value) {
  constexpr std::string_view kVar = " var ";
  std::vector<std::string_view> choices;
  for (std::size_t at = rest.find(kVar); at != std::string_view::npos; at = rest.find(kVar)) {
    rest.remove_prefix(at + kVar.size());
    choices.push_back(usi::trim(rest.substr(0, rest.find(kVar))));
    if (same(choices.back(), value)) return std::nullopt;
  }
  if (choices.empty()) return std::nullopt;
  return fmt::format("one of {}", fmt::join(choices, ", "));
}

}  // namespace

std::optional<std::string> expected_instead(std::string_view declaration, std::string_view value) {
  std::string_view rest = declaration;
  if (usi::next_word(rest) != "type") return std::nullopt;
  const std::string_view type = usi::next_word(rest);
  if (type == "spin") return wrong_number(rest, value);
  return type == "combo" ? wrong_choice(rest, value) : std::nullopt;
}

}  // namespace fuhyo::match
