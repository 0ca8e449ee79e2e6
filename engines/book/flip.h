// Positions and moves seen from the other side of the board. Pure functions; any thread.
#pragma once

#include <optional>

#include "engines/shogi/position.h"

namespace fuhyo::book {

// The board turned by 180 degrees, with all pieces, hands and the turn in the other one's possession. The move number
// stays. Nothing if the result is no position (a piece count that only the caller's own position may have).
std::optional<shogi::Position> flipped(const shogi::Position& position);
shogi::Move flipped(shogi::Move move);  // no move stays none

}  // namespace fuhyo::book
