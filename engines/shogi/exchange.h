// Static exchange evaluation: the value of a capture after all recaptures.
// Pure; any thread.
#pragma once

#include <array>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

// Worth of pieces by type, in units of the caller's evaluation; the king's is not used.
using PieceValues = std::array<int, PIECE_TYPE_NB>;

// Whether the exchange on the destination square that begins with `move` (legal, or at least possible) leaves the side
// to move with at least `threshold`. Each side takes with its least valuable piece and may stop; pieces that are pinned
// when their side first takes do not take part; recapturing pieces do not promote. A quiet move or a drop begins by
// winning nothing.
bool exchange_reaches(const Position& position, Move move, int threshold, const PieceValues& values);

}  // namespace fuhyo::shogi
