// A played game as PGN, from which programs that rate players (Ordo, BayesElo) take who played whom and the result.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "engines/match/game.h"

namespace fuhyo::match {

enum class PgnMoves : std::uint8_t { none, usi };

// In PGN it is White who moves first, so "White" is the player whom shogi calls Black (sente), and "1-0" is a win of
// that side; cshogi writes it so too. Moves are in USI, those of the opening included; PGN knows no other names for
// them. Ends with an empty line.
std::string to_pgn(const PlayedGame& game, PgnMoves moves);

}  // namespace fuhyo::match
