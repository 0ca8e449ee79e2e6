#include "server/app/config/delay.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/number.h"
#include "server/app/config/key_values.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kLongestPattern = 100;

std::expected<std::int32_t, std::string> number(std::string_view key, std::string_view value, std::int32_t most) {
  const auto number = shogi::number_of<std::int32_t>(value);
  if (number && *number >= 0 && *number <= most) return *number;
  return std::unexpected(fmt::format("{} is a number from 0 to {}, not '{}'", key, most, value));
}

}  // namespace

std::expected<core::DelayRule, std::string> parse_delay(std::string_view line) {
  using core::SpectatorDelay;
  core::DelayRule rule;
  bool said = false;
  for (const auto& [key, value] : key_values(line)) {
    if (key == "games") {
      rule.games = value;
    } else if (key == "seconds" || key == "moves") {
      if (std::exchange(said, true)) return std::unexpected("a delay is in seconds or in moves, and said once");
      const bool seconds = key == "seconds";
      const auto much = number(key, value, seconds ? SpectatorDelay::kMostSeconds : SpectatorDelay::kMostMoves);
      if (!much) return std::unexpected(much.error());
      (seconds ? rule.delay.seconds : rule.delay.moves) = *much;
    } else {
      return std::unexpected(fmt::format("a delay has games, seconds and moves, not '{}'", key));
    }
  }
  if (rule.games.empty()) return std::unexpected("a delay needs games=, a game name; * stands for any characters");
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  if (rule.games.size() > kLongestPattern || !std::ranges::all_of(rule.games, is_plain)) {
    return std::unexpected(fmt::format("'{}' fits no game name", rule.games));
  }
  if (!said) return std::unexpected(fmt::format("the delay of {} needs seconds= or moves=", rule.games));
  return rule;
}

}  // namespace fuhyo::app
