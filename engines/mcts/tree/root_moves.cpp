#include "engines/mcts/tree/root_moves.h"

#include <algorithm>
#include <cmath>

#include "engines/mcts/tree/puct.h"

namespace fuhyo::mcts {
namespace {

// A bound counts for moves with at least this share of the visits of the most visited one; it lies so many standard
// deviations below the mean, that of a game that is won with this chance.
constexpr double kLeastShare = 0.1, kDeviations = 1.96;

struct Rank {
  int certain;   // 1: wins, -1: loses
  double merit;  // among those that are equally certain
  bool operator<(const Rank& other) const {
    return certain != other.certain ? certain < other.certain : merit < other.merit;
  }
};

int distance_of(const Tree& tree, const Child& child) { return 1 + (child.node == 0 ? 0 : tree[child.node].distance); }

Rank rank_of(const Tree& tree, const Child& child, const Parameters& parameters, FinalMove how, int ply,
             std::uint32_t most_visits) {
  if (child.known() == Result::win) return {1, -static_cast<double>(distance_of(tree, child))};
  if (child.known() == Result::loss) return {-1, static_cast<double>(distance_of(tree, child))};
  const std::uint32_t visits = child.visits;
  if (how == FinalMove::visits || visits == 0 || visits < kLeastShare * most_visits) {
    return {0, how == FinalMove::visits ? visits : visits / (1e3 + visits) - 10};
  }
  const double value = *value_of(child, parameters, ply);
  if (child.known() == Result::draw) return {0, value};
  return {0, value - kDeviations * std::sqrt(std::max(value * (1 - value), 1e-4) / visits)};
}

}  // namespace

std::vector<std::uint16_t> ranking(const Tree& tree, const Node& node, const Parameters& parameters, FinalMove how,
                                   const std::vector<std::uint8_t>& allowed) {
  const auto children = tree.children(node);
  std::uint32_t most = 0;
  for (const Child& child : children) most = std::max(most, std::uint32_t{child.visits});
  std::vector<std::uint16_t> edges;
  std::vector<Rank> ranks(children.size());
  for (std::uint16_t i = 0; i < children.size(); ++i) {
    if (!allowed.empty() && allowed[i] == 0) continue;
    edges.push_back(i);
    ranks[i] = rank_of(tree, children[i], parameters, how, node.ply, most);
  }
  // Edges lie by falling prior, which decides between equals.
  std::ranges::sort(edges, [&](std::uint16_t a, std::uint16_t b) {
    if (ranks[a] < ranks[b] || ranks[b] < ranks[a]) return ranks[b] < ranks[a];
    return a < b;
  });
  return edges;
}

RootMove root_move_of(const Tree& tree, const Parameters& parameters, std::uint16_t edge) {
  const Node* node = &tree[tree.root()];
  const Child& first = tree.children(*node)[edge];
  RootMove found{.move = tree.edges(*node)[edge].move(),
                 .visits = first.visits,
                 .value = value_of(first, parameters, node->ply).value_or(node->value),
                 .result = first.known(),
                 .distance = distance_of(tree, first)};
  while (true) {
    found.pv.push_back(tree.edges(*node)[edge].move());
    const NodeId next = tree.children(*node)[edge].node;
    if (next == 0) return found;
    node = &tree[next];
    const auto best = ranking(tree, *node, parameters, FinalMove::visits, {});
    if (best.empty() || tree.children(*node)[best.front()].visits == 0) return found;
    edge = best.front();
  }
}

}  // namespace fuhyo::mcts
