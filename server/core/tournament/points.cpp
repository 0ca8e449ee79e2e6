#include "server/core/tournament/points.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace fuhyo::core::tournament {

std::string to_text(Points points) {
  const std::int64_t milli = std::abs(points.milli);
  std::string text = fmt::format("{}{}", points.milli < 0 ? "-" : "", milli / 1000);
  if (milli % 1000 == 0) return text;
  text += fmt::format(".{:03}", milli % 1000);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::optional<Points> parse_points(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::string_view whole = text.substr(0, text.find('.'));
  std::string digits(whole);
  std::string_view fraction;
  if (whole.size() < text.size()) {
    fraction = text.substr(whole.size() + 1);
    if (fraction.empty() || fraction.size() > 3) return std::nullopt;
  }
  digits += fraction;
  digits.append(3 - fraction.size(), '0');
  const bool plain = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (whole.empty() || whole.size() > 6 || !plain) return std::nullopt;
  std::int64_t milli = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), milli);
  if (milli > kMostPoints.milli) return std::nullopt;
  return Points{negative ? -milli : milli};
}

}  // namespace fuhyo::core::tournament
