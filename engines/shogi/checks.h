// Generation of the legal moves that give check. Pure functions of a position; usable from any thread.
#pragma once

#include "engines/shogi/movegen.h"

namespace fuhyo::shogi {

// Writes every legal move that gives check, also those of no use to a player (a rook that does not promote), because a
// proof that there is no mate must know them all. `out` must have room for MAX_LEGAL_MOVES; returns their end. In
// check, these are the evasions that give check.
Move* generate_checks(const Position& position, Move* out);

// Whether the move leaves a pawn, a bishop or a rook unpromoted that could promote: the promotion does the same and
// more, except where dropping a pawn would then mate.
bool declines_promotion(const Position& position, Move move);

}  // namespace fuhyo::shogi
