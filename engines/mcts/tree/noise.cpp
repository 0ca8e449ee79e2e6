#include "engines/mcts/tree/noise.h"

#include "engines/mcts/tree/order.h"

namespace fuhyo::mcts {

void mix_into_priors(Tree& tree, std::span<const float> noise, float part) {
  const std::span<Edge> edges = tree.edges(tree[tree.root()]);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = Edge::of(edges[i].move(), to_code((1 - part) * edges[i].prior() + part * noise[i]));
  }
  sort_by_prior(edges);
}

}  // namespace fuhyo::mcts
