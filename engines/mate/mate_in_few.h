// Short mates for the leaves of a search: a plain search of checks and evasions, without a table. Pure but for the
// position that is lent to it; one thread at a time per position.
#pragma once

#include "engines/shogi/position.h"

namespace fuhyo::mate {

// The first move of a forced mate by checks within `plies` (1, 3, 5, 7), or no move. Makes `moves` moves at most, and
// leaves there how many it could still have made. Never a false mate. What it misses: what that bound cuts off, and
// lines whose last check is one that mate_in_one() does not look at, unless that check is tried before the last ply.
// The position comes back as it was.
shogi::Move mate_in_few(shogi::Position& position, int plies, int& moves);

}  // namespace fuhyo::mate
