#include "engines/mcts/tree/noise.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fuhyo::mcts {

void mix_into_priors(Tree& tree, std::span<const float> noise, float part) {
  const Node& root = tree[tree.root()];
  const std::span<Edge> edges = tree.edges(root);
  const std::span<Child> children = tree.children(root);
  if (children.size() != edges.size()) return;
  std::vector<std::pair<Edge, Child>> moves;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const float prior = (1 - part) * edges[i].prior() + part * noise[i];
    moves.emplace_back(Edge::of(edges[i].move(), to_code(prior)), children[i]);
  }
  std::ranges::sort(moves, [](const auto& a, const auto& b) {
    const float left = a.first.prior(), right = b.first.prior();
    return left != right ? left > right : a.first.move() < b.first.move();
  });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = moves[i].first;
    children[i] = moves[i].second;
  }
}

}  // namespace fuhyo::mcts
