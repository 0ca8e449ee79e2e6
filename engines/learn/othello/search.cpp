#include "engines/learn/othello/search.h"

#include <algorithm>

#include "engines/learn/generate/dirichlet.h"
#include "engines/mcts/tree/noise.h"
#include "engines/mcts/tree/root_moves.h"

namespace fuhyo::learn {

using match::tune::Random;

mcts::Parameters OthelloSearchOptions::parameters() const {
  // So large a base keeps the constant as it is.
  const mcts::Parameters::Exploration constant{.init = static_cast<float>(exploration), .base = 1e6F};
  return {.exploration = constant, .root_exploration = constant, .first_play_reduction = 0, .temperature = 1};
}

std::size_t OthelloSearchOptions::tree_bytes() const {
  constexpr std::size_t kLeast = 64 << 10, kEach = 512;
  return std::max(kLeast, static_cast<std::size_t>(playouts) * kEach);
}

mcts::Task search_othello(mcts::Tree& tree, const othello::OthelloGame& game, mcts::Batcher& batcher,
                          const OthelloSearchOptions& options, Random& random) {
  mcts::TreeSearch search(tree, options.parameters(), othello::OthelloGame(game.board(), game.ply()));
  co_await search.prepare(batcher, std::nullopt);
  const mcts::Node& root = tree[tree.root()];
  if (options.noise > 0) {
    mcts::mix_into_priors(tree, dirichlet(root.edge_count, options.alpha, random), static_cast<float>(options.noise));
  }
  mcts::Allowance allowance{.playouts = options.playouts};
  for (const mcts::Child& child : tree.children(root)) allowance.playouts -= child.visits;
  co_await search.play_out(batcher, allowance);
}

mcts::MoveCode best_of(const mcts::Tree& tree, const OthelloSearchOptions& options) {
  const mcts::Node& root = tree[tree.root()];
  return tree.edges(root)[mcts::ranking(tree, root, options.parameters(), mcts::FinalMove::visits, {}).front()].move();
}

mcts::MoveCode drawn_of(const mcts::Tree& tree, const OthelloSearchOptions& options, Random& random) {
  const mcts::Node& root = tree[tree.root()];
  const auto children = tree.children(root);
  const auto weight = [](const mcts::Child& child) {
    return child.known() == mcts::Result::loss ? std::uint64_t{0} : std::uint64_t{child.visits};
  };
  std::uint64_t sum = 0;
  for (const mcts::Child& child : children) sum += weight(child);
  if (root.known() != mcts::Result::unknown || sum == 0) return best_of(tree, options);
  std::uint64_t left = random.below(sum);
  std::size_t edge = 0;
  for (; left >= weight(children[edge]); ++edge) left -= weight(children[edge]);
  return tree.edges(root)[edge].move();
}

std::optional<mcts::MoveCode> only_move(const othello::OthelloGame& game) {
  std::array<mcts::LabelledMove, othello::OthelloGame::kMostMoves> moves;
  if (game.moves(moves) > 1) return std::nullopt;
  return moves[0].move;
}

}  // namespace fuhyo::learn
