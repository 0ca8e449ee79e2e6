// Game names "<identifier>-<total>-<byoyomi>[F]" and the password of CSA mode, which may hold one. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "server/csa/command.h"

namespace fuhyo::csa {

// A time of more than about eleven days is a typing error.
constexpr std::int32_t kMaxSeconds = 999'999;

struct GameName {
  std::string text;        // as given
  std::string identifier;  // the part before the two numbers
  std::int32_t total_s = 0;
  std::int32_t byoyomi_s = 0;
  std::int32_t increment_s = 0;  // "10F"
  std::int32_t stopwatch_s = 0;  // "060": time counts in whole units of 60 s

  bool is_floodgate() const { return identifier == "floodgate"; }
  bool is_buoy() const { return identifier.starts_with("buoy_"); }
};

enum class BadGameName {
  shape,       // not three parts, or a time that makes no game ("x-900-00", "x-900-05F", "x-0-060", seven digits)
  identifier,  // the first part has other characters or is too long
};
std::expected<GameName, BadGameName> parse_game_name(std::string_view text, std::size_t max_identifier);

// The third word of a CSA-mode LOGIN:
//   foo-300-10[F][-B|-W]            that game, no trip
//   foo-300-10[F][-B|-W],trip       that game (default-1500-0 if it is no good name), and the trip
//   anything else                   default-1500-0, and the whole word is the trip
struct CsaPassword {
  GameName game;
  Turn turn = Turn::any;
  std::optional<Secret> trip;
};
CsaPassword parse_csa_password(std::string_view password, std::size_t max_identifier);

}  // namespace fuhyo::csa
