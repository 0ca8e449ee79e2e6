// What the positions of a graph are worth, if both sides play for the best: values of leaves, taken through the whole
// graph, circles and all. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace fuhyo::learn {

constexpr std::uint32_t kNoNode = UINT32_MAX;

// Positions are numbered; in each the other side moves than in those that its moves lead to.
struct ValueGraph {
  struct Move {
    std::uint32_t to = kNoNode;  // a position, or none: then the move is a leaf
    int value = 0;               // of a leaf, for who plays the move
  };
  std::vector<std::uint32_t> first;  // where the moves of each position begin; one more than there are positions
  std::vector<Move> moves;
};

struct NodeValue {
  static constexpr std::uint32_t kDrawn = UINT32_MAX;
  int value = 0;  // for the side to move
  // Positions in the order in which they were found out. A move to one that was found out earlier makes headway, while
  // moves among positions of one value may lead in a circle. kDrawn: nobody can force anything better than a draw.
  std::uint32_t order = kDrawn;
  bool operator==(const NodeValue&) const = default;
};

// Values beyond this are mates: kMateValue less the plies to it, and so they lose one with every ply.
constexpr int kMateValue = 32'000, kMateFrom = 31'000;
// What a move is worth whose position is worth `value` to the opponent.
constexpr int before_move(int value) {
  return value > kMateFrom ? 1 - value : value < -kMateFrom ? -1 - value : -value;
}

// A game that goes round for ever is a draw, 0; checks are not looked at, so perpetual check is one, too. A position
// without moves is 0. Values depend on nothing but the graph, `order` also on how it is numbered.
std::vector<NodeValue> propagate(const ValueGraph& graph);

}  // namespace fuhyo::learn
