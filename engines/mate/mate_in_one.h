// Whether the side to move mates at once, seen from sets of squares, without generating moves. Meant to be asked at
// nearly every node of a search. Pure; usable from any thread.
#pragma once

#include "engines/shogi/position.h"

namespace fuhyo::mate {

// A legal move that mates, or no move.
// Never a false mate. Every mate is found that a piece gives from next to the king, and every one by a knight; checks
// that are only uncovered, and those by sliders from a distance, are not looked at. The side to move may itself be in
// check: the move then parries it.
shogi::Move mate_in_one(const shogi::Position& position);

}  // namespace fuhyo::mate
