// What a search has come to: its moves, best first, and the lines that follow from them. One thread at a time per tree.
#pragma once

#include <vector>

#include "engines/mcts/tree/parameters.h"
#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

// What makes a move of the root the best one, where nothing is proven.
enum class FinalMove : std::uint8_t {
  visits,       // it was looked at most
  lower_bound,  // its value is the highest that is certain enough (LCB)
};

// Edges of a node, best first: wins, the shortest first; then what is open or drawn; then losses, the longest first.
// Those that are not `allowed` (by edge; all, if empty) and those without children are left out.
std::vector<std::uint16_t> ranking(const Tree& tree, const Node& node, const Parameters& parameters, FinalMove how,
                                   const std::vector<std::uint8_t>& allowed);

struct Line {
  MoveCode move = 0;
  std::uint32_t visits = 0;
  double value = 0;  // for who makes the move
  Result result = Result::unknown;
  int distance = 0;               // plies to a win or loss that is known, this move included
  std::vector<MoveCode> moves{};  // this one, and what is expected to follow
};
// Of an edge of the root that has a child.
Line line_of(const Tree& tree, const Parameters& parameters, std::uint16_t edge);

}  // namespace fuhyo::mcts
