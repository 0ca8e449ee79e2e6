// Noise in the priors of the root, for self-play: so that games differ, and moves with low priors are searched. One
// thread at a time per tree.
#pragma once

#include <span>

#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

// The priors of the root become (1 - part) of what they are, and `part` of `noise`: a number for each edge, together 1.
// To be called after prepare(); what is known of moves that were looked at stays theirs. Where there was no memory for
// all moves of the root, nothing is changed.
void mix_into_priors(Tree& tree, std::span<const float> noise, float part);

}  // namespace fuhyo::mcts
