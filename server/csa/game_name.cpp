#include "server/csa/game_name.h"

#include <algorithm>

#include "engines/shogi/number.h"

namespace fuhyo::csa {
namespace {

constexpr std::string_view kDefaultGameName = "default-1500-0";

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::int32_t> seconds(std::string_view digits) {
  const auto value = shogi::number_of<std::int32_t>(digits);
  return value && *value <= kMaxSeconds ? value : std::nullopt;
}

// Fills the times from the last two parts; false where they make no game.
bool set_times(GameName& name, std::string_view total, std::string_view byoyomi) {
  const bool fischer = byoyomi.ends_with('F');
  if (fischer) byoyomi.remove_suffix(1);
  if (!all_digits(total) || !all_digits(byoyomi)) return false;
  const auto total_s = seconds(total);
  const auto second_s = seconds(byoyomi);
  if (!total_s || !second_s) return false;
  name.total_s = *total_s;
  const bool stopwatch = byoyomi.size() > 1 && byoyomi.front() == '0';
  if (stopwatch) {
    if (fischer || *second_s == 0 || *total_s == 0) return false;
    name.stopwatch_s = *second_s;
  } else {
    (fischer ? name.increment_s : name.byoyomi_s) = *second_s;
  }
  return true;
}

// Takes a "-B" or "-W" off the end.
Turn take_turn(std::string_view& text) {
  if (text.size() < 2 || text[text.size() - 2] != '-') return Turn::any;
  const char sign = text.back();
  const bool black = sign == 'B' || sign == 'b';
  if (!black && sign != 'W' && sign != 'w') return Turn::any;
  text.remove_suffix(2);
  return black ? Turn::black : Turn::white;
}

}  // namespace

std::expected<GameName, BadGameName> parse_game_name(std::string_view text, std::size_t max_identifier) {
  const std::size_t second = text.rfind('-');
  if (second == std::string_view::npos || second == 0) return std::unexpected(BadGameName::shape);
  const std::size_t first = text.rfind('-', second - 1);
  if (first == std::string_view::npos || first == 0) return std::unexpected(BadGameName::shape);
  GameName name;
  name.text = text;
  name.identifier = text.substr(0, first);
  if (!set_times(name, text.substr(first + 1, second - first - 1), text.substr(second + 1))) {
    return std::unexpected(BadGameName::shape);
  }
  if (!is_identifier(name.identifier, max_identifier)) return std::unexpected(BadGameName::identifier);
  return name;
}

CsaPassword parse_csa_password(std::string_view password, std::size_t max_identifier) {
  const std::size_t comma = password.find(',');
  std::string_view name = password.substr(0, comma);
  const Turn turn = take_turn(name);
  const auto game = parse_game_name(name, max_identifier);
  CsaPassword result;
  if (game) {
    result.game = *game;
    result.turn = turn;
  } else {
    result.game = *parse_game_name(kDefaultGameName, kDefaultGameName.size());
  }
  if (comma != std::string_view::npos) {
    result.trip = Secret(password.substr(comma + 1));
  } else if (!game) {
    result.trip = Secret(password);
  }
  return result;
}

}  // namespace fuhyo::csa
