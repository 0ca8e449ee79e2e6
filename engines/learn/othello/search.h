// The search of Othello for coroutines of self-play and matches, which share the batches of one thread. One thread at a
// time per tree.
#pragma once

#include "engines/match/tune/random.h"
#include "engines/mcts/tree/tree_search.h"
#include "engines/othello/othello_game.h"

namespace fuhyo::learn {

struct OthelloSearchOptions {
  int playouts = 64;         // visits of the root's moves, including those left of the search before
  double exploration = 1.0;  // of PUCT, values being chances from 0 to 1
  double noise = 0.25;       // how much of the root's priors is chance; 0 in matches
  double alpha = 1.6;        // of its Dirichlet distribution: ten, divided by the moves of a usual position, is good

  mcts::Parameters parameters() const;
  std::size_t tree_bytes() const;
};

// Searches a position with at least two moves; the result is in the tree. All arguments must live until it is done.
mcts::Task search_othello(mcts::Tree& tree, const othello::OthelloGame& game, mcts::Batcher& batcher,
                          const OthelloSearchOptions& options, match::tune::Random& random);

// After a search: the best move.
mcts::MoveCode best_of(const mcts::Tree& tree, const OthelloSearchOptions& options);
// ... a move that is not known to lose, drawn in proportion to visits; the best one if the result is known.
mcts::MoveCode drawn_of(const mcts::Tree& tree, const OthelloSearchOptions& options, match::tune::Random& random);

// The only move of a position, a pass among them; nothing if there are several.
std::optional<mcts::MoveCode> only_move(const othello::OthelloGame& game);

}  // namespace fuhyo::learn
