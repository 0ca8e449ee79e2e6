#include "engines/learn/generate/policy/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/learn/generate/dirichlet.h"
#include "engines/mcts/tree/noise.h"
#include "engines/mcts/tree/root_moves.h"

namespace fuhyo::learn {
namespace {

using mcts::Child;
using mcts::Result;
using Candidate = record::Hcpe3Move::Candidate;

// In proportion to visits to the power of 1 / temperature; nothing that is known to lose. The most visited one if the
// temperature is next to nothing.
std::uint16_t drawn_by_visits(const mcts::Tree& tree, std::uint16_t best, double temperature, Random& random) {
  constexpr double kLeastTemperature = 1e-3;
  const auto children = tree.children(tree[tree.root()]);
  if (temperature < kLeastTemperature || children[best].visits == 0) return best;
  std::vector<double> weights(children.size());
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (children[i].known() == Result::loss || children[i].visits == 0) continue;
    weights[i] = std::pow(static_cast<double>(children[i].visits) / children[best].visits, 1 / temperature);
    sum += weights[i];
  }
  double left = random.uniform() * sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0 && left < weights[i]) return static_cast<std::uint16_t>(i);
    left -= weights[i];
  }
  return best;
}

std::vector<Candidate> candidates_of(const mcts::Tree& tree, Roots roots) {
  const mcts::Node& root = tree[tree.root()];
  const auto edges = tree.edges(root);
  const auto children = tree.children(root);
  std::vector<std::uint16_t> visits;
  if (roots == Roots::gumbel) {
    visits = apportion(mcts::improved_policy(tree), kPolicyShares);
  } else {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint16_t>::max();
    for (const Child& child : children) {
      visits.push_back(static_cast<std::uint16_t>(std::min<std::uint32_t>(child.visits, kMost)));
    }
  }
  std::vector<Candidate> out;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (visits[i] > 0) out.push_back({.move = shogi::Move::from_bits(edges[i].move()), .visits = visits[i]});
  }
  return out;
}

}  // namespace

mcts::Parameters parameters_of(const PolicyPlayOptions& options) {
  return {.temperature = static_cast<float>(options.softmax)};
}

mcts::ShogiGame::Rules rules_of(const PolicyPlayOptions& options) { return {.max_moves = options.draw_at_ply}; }

std::size_t tree_bytes(const PolicyPlayOptions& options) {
  constexpr std::size_t kLeast = 64 << 10, kEach = 1536;
  return kLeast + static_cast<std::size_t>(std::max(options.playouts, options.fast_playouts)) * kEach;
}

mcts::Task search_policy(mcts::Tree& tree, const PolicyBoard& board, mcts::Batcher& batcher,
                         const PolicyPlayOptions& options, bool full, Random& random, PolicySearchResult& found) {
  const mcts::Parameters parameters = parameters_of(options);
  const int playouts = full ? options.playouts : options.fast_playouts;
  const double temperature = options.temperature_at(board.moves_made());
  const std::uint64_t seed = random.bits() | 1;  // 0 would be none
  tree.clear();
  mcts::TreeSearch search(tree, parameters,
                          mcts::ShogiGame(board.so_far().start, board.so_far().moves, rules_of(options)));
  co_await search.prepare(batcher, std::nullopt);
  if (options.roots == Roots::gumbel) {
    search.halve({.playouts = playouts, .moves = options.considered, .seed = seed, .chance = temperature});
  } else if (full) {
    const auto noise = dirichlet(tree[tree.root()].edge_count, options.alpha, random);
    mcts::mix_into_priors(tree, noise, static_cast<float>(options.noise));
  }
  mcts::Allowance allowance{.playouts = playouts};
  co_await search.play_out(batcher, allowance);

  const mcts::Node& root = tree[tree.root()];
  const std::uint16_t best = mcts::ranking(tree, root, parameters, mcts::FinalMove::visits, {}).front();
  std::uint16_t chosen = best;
  if (root.known() == Result::unknown) {
    if (search.halving()) {
      const auto ranked = search.halving()->ranking(tree);
      if (tree.children(root)[ranked.front()].known() != Result::loss) chosen = ranked.front();
    } else {
      chosen = drawn_by_visits(tree, best, temperature, random);
    }
  }
  found.known = root.known();
  found.playouts = search.counts().playouts;
  found.move = shogi::Move::from_bits(tree.edges(root)[chosen].move());
  found.value = root.known() == Result::unknown ? mcts::root_move_of(tree, parameters, best).value
                                                : mcts::value_of(root.known(), parameters, root.ply);
  if (full && root.known() != Result::loss) found.candidates = candidates_of(tree, options.roots);
}

}  // namespace fuhyo::learn
