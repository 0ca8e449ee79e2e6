// Backup: adds the value of a leaf to the nodes of its path. One thread at a time per tree.
#pragma once

#include "engines/mcts/tree/parameters.h"
#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

// The value of a leaf, for its side to move.
struct BackupValue {
  double value = 0.5;  // not used where the result is proven
  Result result = Result::unknown;
  int distance = 0;  // plies to a win or loss that is known
};

// Completes the visits that the path has begun. Proven results are propagated as far as they hold: a position with a
// winning move is won, and a position all of whose moves are proven has the result of the best one.
void back_up(Tree& tree, const Parameters& parameters, const Path& path, BackupValue value);

// Undoes the visits of the path (virtual losses).
void take_back(Tree& tree, const Path& path);

}  // namespace fuhyo::mcts
