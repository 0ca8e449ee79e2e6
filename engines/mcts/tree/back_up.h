// What became of a line, written into the tree. One thread at a time per tree.
#pragma once

#include "engines/mcts/tree/parameters.h"
#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

// For the side to move at the end of the line.
struct Outcome {
  double value = 0.5;  // of no account where the result is proven
  Result result = Result::unknown;
  int distance = 0;  // plies to a win or loss that is known
};

// Completes the visits that the path has begun. What is known for certain goes up as far as it is certain: a move that
// wins wins the position, and a position all of whose moves are known is as good as the best of them.
void back_up(Tree& tree, const Parameters& parameters, const Path& path, Outcome outcome);

// Takes the visits of the path back.
void take_back(Tree& tree, const Path& path);

}  // namespace fuhyo::mcts
