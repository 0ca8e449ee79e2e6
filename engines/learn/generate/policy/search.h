// The search of a position in self-play; its result is a move, a value, and the target to learn. One thread at a time
// per tree.
#pragma once

#include <vector>

#include "engines/learn/generate/policy/game.h"
#include "engines/mcts/shogi/shogi_game.h"
#include "engines/mcts/tree/tree_search.h"

namespace fuhyo::learn {

struct PolicySearchResult {
  mcts::Result known = mcts::Result::unknown;  // for the side to move
  shogi::Move move;
  double value = 0.5;                                      // for the side to move
  std::vector<record::Hcpe3Move::Candidate> candidates{};  // of a full search that has not shown a loss
  std::int64_t playouts = 0;
};

mcts::Parameters parameters_of(const PolicyPlayOptions& options);
mcts::ShogiGame::Rules rules_of(const PolicyPlayOptions& options);
// Memory for a full search.
std::size_t tree_bytes(const PolicyPlayOptions& options);

// There must be a legal move. All arguments must live until the task is done. Clears the tree first.
mcts::Task search_policy(mcts::Tree& tree, const PolicyBoard& board, mcts::Batcher& batcher,
                         const PolicyPlayOptions& options, bool full, Random& random, PolicySearchResult& found);

}  // namespace fuhyo::learn
