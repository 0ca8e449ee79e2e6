// The result of a search: the moves of the root, best first, each with its principal variation. One thread at a time
// per tree.
#pragma once

#include <vector>

#include "engines/mcts/tree/parameters.h"
#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

// How the move to play is chosen, where nothing is proven.
enum class FinalMove : std::uint8_t {
  visits,       // the most visits
  lower_bound,  // the highest lower confidence bound of the value (LCB)
};

// Edges of a node, best first: wins, the shortest first; then what is open or drawn; then losses, the longest first.
// Those that are not `allowed` (by edge; all, if empty) and those without children are left out.
std::vector<std::uint16_t> ranking(const Tree& tree, const Node& node, const Parameters& parameters, FinalMove how,
                                   const std::vector<std::uint8_t>& allowed);

struct RootMove {
  MoveCode move = 0;
  std::uint32_t visits = 0;
  double value = 0;  // for who makes the move
  Result result = Result::unknown;
  int distance = 0;            // plies to a win or loss that is known, this move included
  std::vector<MoveCode> pv{};  // begins with the move
};
// Of an edge of the root that has a child.
RootMove root_move_of(const Tree& tree, const Parameters& parameters, std::uint16_t edge);

}  // namespace fuhyo::mcts
