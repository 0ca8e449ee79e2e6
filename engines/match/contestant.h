// The configuration of an engine (or built-in player) in a match.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/match/time_control.h"
#include "engines/match/usi_player.h"

namespace fuhyo::match {

struct Contestant {
  std::string name{};    // in tables; empty until the engine has sent its own
  std::string simple{};  // one of simple_players.h instead of a command
  EngineCommand engine{};
  TimeControl time{};
  std::optional<double> rating{};  // known, in Elo: the others are rated relative to it
  bool operator==(const Contestant&) const = default;
};

// Words as a shell splits them: a command and its arguments, or "cmd='...'"; and KEY=VALUE: name, dir, tc (as
// parse_time_control), ponder (true, false), stderr (show), start (milliseconds for usiok), ready (of silence after
// isready), player (one of simple_players.h), rating (Elo, of an engine that is known); any other KEY is an option of
// the engine, as is option.KEY. `base`: the defaults of every engine, from parse_contestant() too; `text` overrides
// them.
std::expected<Contestant, std::string> parse_contestant(std::string_view text, const Contestant& base = {});
// The text that parse_contestant() reads; the same for equal contestants.
std::string to_text(const Contestant& contestant);

}  // namespace fuhyo::match
