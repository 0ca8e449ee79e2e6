// The minimax values of the positions of a graph, cycles included, from the values of its leaves (retrograde analysis).
// Pure; any thread.
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
  // The order in which values became known. A move to a position with a lower order makes progress; other moves between
  // positions of one value may lead in a cycle. kDrawn: neither side can force more than a draw.
  std::uint32_t order = kDrawn;
  bool operator==(const NodeValue&) const = default;
};

// Values beyond this are mates: kMateValue less the plies to it, and so they lose one with every ply.
constexpr int kMateValue = 32'000, kMateFrom = 31'000;
// The value of a move to a position of this value for the opponent.
constexpr int before_move(int value) {
  return value > kMateFrom ? 1 - value : value < -kMateFrom ? -1 - value : -value;
}

// An endless game is a draw, 0; so is perpetual check, as checks are not considered. A position without moves is 0.
// Values depend on the graph alone, `order` also on its numbering.
std::vector<NodeValue> propagate(const ValueGraph& graph);

}  // namespace fuhyo::learn
