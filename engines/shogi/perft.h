// Perft: counts the leaves of the tree of legal moves; equal counts mean equal rules.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

// Positions after `depth` plies, counted with repetition; 1 for depth 0. The position is the same afterwards.
std::uint64_t perft(Position& position, int depth);
// The same for every legal move by itself; empty for depth 0.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(Position& position, int depth);

}  // namespace fuhyo::shogi
