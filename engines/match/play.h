// Plays one game: asks the players in turn, checks their moves by the rules of shogi, and runs the clocks. Blocks until
// the game is over.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <stop_token>

#include "engines/match/game.h"
#include "engines/match/player.h"
#include "engines/match/rules.h"

namespace fuhyo::match {

// Fills in all of `game` but number, engines, names, times, opening and start, which are given. `now_ms`: UTC,
// milliseconds since 1970. Nothing if `stop` was requested before the end. A player that fails (Fault) loses; if both
// fail to begin the game, it is a draw with the ending of the first.
std::optional<PlayedGame> play(PlayedGame game, const std::array<Player*, 2>& players, const Rules& rules,
                               const std::function<std::int64_t()>& now_ms, const std::stop_token& stop);

}  // namespace fuhyo::match
