// The nodes, edges and children of the tree: plain data in an arena, owned by Tree.
//
// A node is a position at a ply, 48 bytes. It has an edge a legal move, four bytes each, by falling prior; and a child
// a move that was tried, 16 bytes each. Of moves that were not tried yet the one with the highest prior comes first, so
// the tried ones are always the first ones (at the root all have a child, some of them without visits).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engines/mcts/tree/arena.h"
#include "engines/mcts/tree/game.h"
#include "engines/mcts/tree/result.h"

namespace fuhyo::mcts {

using NodeId = Handle;

// Sums of values from 0 to 1, in units of 2^-31: exact, so that they neither drift nor depend on the order.
constexpr std::uint64_t kOne = std::uint64_t{1} << 31;
inline std::uint64_t to_fixed(double value) {
  return static_cast<std::uint64_t>(value * static_cast<double>(kOne) + 0.5);
}
inline double to_mean(std::uint64_t sum, std::uint32_t count) {
  return static_cast<double>(sum) / (static_cast<double>(kOne) * count);
}

// A prior in 16 bits: a number from 2^-31 to 1 with 11 bits behind its leading one. The order of codes is that of
// priors.
constexpr std::uint32_t kLeastPrior = std::bit_cast<std::uint32_t>(0x1p-31F);
inline std::uint16_t to_code(float prior) {
  const float within = std::clamp(prior, 0x1p-31F, 1.F);
  return static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(within) - kLeastPrior) >> 12);
}
constexpr float from_code(std::uint16_t code) {
  return std::bit_cast<float>((static_cast<std::uint32_t>(code) << 12) + kLeastPrior);
}

// A move, and its prior; until the network has answered, its label. Compares as its prior does.
struct Edge {
  std::uint32_t bits = 0;

  static constexpr Edge of(MoveCode move, std::uint16_t upper) {
    return {static_cast<std::uint32_t>(upper) << 16 | move};
  }
  constexpr MoveCode move() const { return static_cast<MoveCode>(bits & 0xffff); }
  constexpr std::uint16_t label() const { return static_cast<std::uint16_t>(bits >> 16); }
  constexpr float prior() const { return from_code(static_cast<std::uint16_t>(bits >> 16)); }
};

constexpr std::size_t kMostEdges = 1024;

// Values are those of whoever makes the move.
struct Child {
  std::uint64_t sum = 0;
  std::uint32_t visits : 30 = 0;  // begun; those in flight count as losses (virtual loss)
  std::uint32_t result : 2 = 0;
  NodeId node = 0;  // 0: not visited yet, or ended by the path (repetition), or no memory

  Result known() const { return static_cast<Result>(result); }
  void know(Result what) { result = static_cast<std::uint32_t>(what) & 3; }
};
static_assert(sizeof(Child) == 16);
constexpr std::uint32_t kMostVisits = (1U << 30) - 1;

// Values are those of the side to move.
struct Node {
  enum State : std::uint8_t { fresh, evaluating, expanded };

  std::uint64_t key = 0;
  std::uint64_t sum = 0;
  std::uint32_t visits = 0;  // begun
  Handle edges = 0, children = 0;
  NodeId next_garbage = 0;
  float value = 0;  // by the network
  std::uint16_t edge_count = 0, child_count = 0;
  std::uint16_t ply = 0;
  std::uint16_t references = 0;  // children that lead here
  std::uint16_t distance = 0;    // plies to a win or loss that is known
  std::uint8_t child_room = 0;   // room for children: 0, or the power of two with this number
  State state : 2 = fresh;
  std::uint8_t result : 2 = 0;
  std::uint8_t path_dependent : 1 = 0;  // values depend on the path: no other path may lead here
  std::uint8_t garbage : 1 = 0;         // without references; its memory is released when it is needed

  Result known() const { return static_cast<Result>(result); }
  void know(Result what, int plies) {
    result = static_cast<std::uint8_t>(what) & 3;
    distance = static_cast<std::uint16_t>(std::min(plies, 0xffff));
  }
  std::uint32_t room() const { return child_room == 0 ? 0 : 1U << child_room; }
};
static_assert(sizeof(Node) == 48);
constexpr std::uint16_t kMostReferences = 0xffff;  // or more: such a node is never released

}  // namespace fuhyo::mcts
