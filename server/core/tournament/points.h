// Points of a tournament, exactly: thousandths as whole numbers, because 0.4 for a draw is no binary fraction and ranks
// must not hang on rounding. Values only.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::core::tournament {

struct Points {
  std::int64_t milli = 0;
  auto operator<=>(const Points&) const = default;
  Points& operator+=(Points other) {
    milli += other.milli;
    return *this;
  }
};
constexpr Points operator+(Points a, Points b) { return {a.milli + b.milli}; }
constexpr Points operator-(Points a, Points b) { return {a.milli - b.milli}; }

constexpr Points kPoint{1000}, kHalfPoint{500}, kNoPoints{};
constexpr Points kMostPoints{100'000};  // that one game may be worth, either way

// "7", "7.5", "0.4", "-1": at most three digits after the point, none that say nothing.
std::string to_text(Points points);
// The same read back; nothing for other text, for a fourth digit after the point, and beyond kMostPoints.
std::optional<Points> parse_points(std::string_view text);

}  // namespace fuhyo::core::tournament
