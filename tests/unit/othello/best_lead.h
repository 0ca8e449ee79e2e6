// Endgames of Othello by every line there is. One thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engines/othello/board.h"

namespace fuhyo::othello {

// By how many stones the side to move is ahead in the end if both play their best. Few squares may be empty.
inline int best_lead(const Board& board) {
  if (board.over()) return board.lead();
  int best = -64;
  std::uint64_t moves = board.moves();
  do {
    Board next = board;
    next.play(moves == 0 ? kPass : std::countr_zero(moves));
    best = std::max(best, -best_lead(next));
    moves &= moves - 1;
  } while (moves != 0);
  return best;
}

}  // namespace fuhyo::othello
