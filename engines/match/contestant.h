// Who takes part in a match, as its host wrote it down.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/match/time_control.h"
#include "engines/match/usi_player.h"

namespace fuhyo::match {

struct Contestant {
  std::string name{};    // in tables; empty until the engine has told its own
  std::string simple{};  // one of simple_players.h instead of a command
  EngineCommand engine{};
  TimeControl time{};
  std::optional<double> rating{};  // known, in Elo: a rung of a ladder on which the others are placed
  bool operator==(const Contestant&) const = default;
};

// Words as a shell splits them: a command and its arguments, or "cmd='...'"; and KEY=VALUE: name, dir, tc (as
// parse_time_control), ponder (true, false), stderr (show), start (milliseconds for usiok), ready (of silence after
// isready), player (one of simple_players.h), rating (Elo, of an engine that is known); any other KEY is an option of
// the engine, as is option.KEY. `base`: what holds for every engine, from parse_contestant() too; what `text` says
// comes after it and wins.
std::expected<Contestant, std::string> parse_contestant(std::string_view text, const Contestant& base = {});
// One text for equal contestants, as parse_contestant() reads it.
std::string to_text(const Contestant& contestant);

}  // namespace fuhyo::match
