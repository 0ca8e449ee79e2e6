// Mates by definition, slowly: what the solvers are held to. No table, no order, no bounds.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engines/shogi/movegen.h"
#include "engines/shogi/position.h"

namespace fuhyo::mate {

inline std::vector<shogi::Move> naive_moves(const shogi::Position& position, bool checks_only) {
  std::vector<shogi::Move> moves;
  for (const shogi::Move move : shogi::legal_moves(position)) {
    if (!checks_only || position.gives_check(move)) moves.push_back(move);
  }
  return moves;
}

// Whether the side to move mates by checks within so many plies, an odd number.
inline bool naive_mates_within(const shogi::Position& position, int plies) {
  for (const shogi::Move check : naive_moves(position, true)) {
    shogi::Position after = position;
    after.do_move(check);
    bool mates = true;
    if (const auto evasions = naive_moves(after, false); !evasions.empty()) {
      for (const shogi::Move evasion : evasions) {
        shogi::Position next = after;
        next.do_move(evasion);
        mates = plies > 1 && naive_mates_within(next, plies - 2);
        if (!mates) break;
      }
    }
    if (mates) return true;
  }
  return false;
}

// Every position that a graph holds, and whether the attacker mates from it; the first one is where it began.
struct NaiveGraph {
  std::vector<shogi::Position> positions;
  std::vector<bool> mates;
};

// Whether the side to move mates by checks at all: over every position that checks and evasions lead to, those are
// marked from which the attacker gets to a mate or to a marked one, until none is added. Nothing if there are more
// positions than `most`. Repetitions need no thought here: what is never marked is no mate.
inline std::optional<NaiveGraph> naive_graph(const shogi::Position& root, std::size_t most) {
  struct Node {
    bool attacks = false, marked = false;
    std::vector<std::size_t> next{};
  };
  std::vector<shogi::Position> positions = {root};
  std::vector<Node> nodes = {{.attacks = true}};
  std::map<std::pair<shogi::Key, shogi::Key>, std::size_t> seen = {{{root.board_key(), root.hand_key()}, 0}};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const bool attacks = nodes[i].attacks;
    for (const shogi::Move move : naive_moves(positions[i], attacks)) {
      shogi::Position next = positions[i];
      next.do_move(move);
      const auto [it, is_new] = seen.try_emplace({next.board_key(), next.hand_key()}, positions.size());
      if (is_new) {
        positions.push_back(next);
        nodes.push_back({.attacks = !attacks});
      }
      nodes[i].next.push_back(it->second);
    }
    if (positions.size() > most) return std::nullopt;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = nodes.size(); i-- > 0;) {
      Node& node = nodes[i];
      if (node.marked) continue;
      const auto marked = [&](std::size_t n) { return nodes[n].marked; };
      node.marked = node.attacks ? std::ranges::any_of(node.next, marked) : std::ranges::all_of(node.next, marked);
      changed = changed || node.marked;
    }
  }
  NaiveGraph graph{.positions = std::move(positions), .mates = {}};
  for (const Node& node : nodes) graph.mates.push_back(node.marked);
  return graph;
}

}  // namespace fuhyo::mate
