// Othello as a game of the tree search: what it sees and says, and endgames that the search proves by the rules alone.
#include "engines/othello/othello_game.h"

#include <bit>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "engines/mcts/tree/noise.h"
#include "engines/mcts/tree/root_moves.h"
#include "engines/mcts/tree/tree_search.h"
#include "engines/mcts/tree/uniform_backend.h"
#include "tests/unit/othello/best_lead.h"

namespace fuhyo::othello {
namespace {

using mcts::Result;

mcts::MoveCode any_move(const OthelloGame& game, std::mt19937_64& random) {
  std::array<mcts::LabelledMove, OthelloGame::kMostMoves> moves;
  return moves[random() % game.moves(moves)].move;
}

// Positions with a few empty squares.
OthelloGame late_game(std::mt19937_64& random, int empty) {
  while (true) {
    OthelloGame game;
    while (game.verdict().result == Result::unknown) {
      if (64 - std::popcount(game.board().own | game.board().other) <= empty) return game;
      game.do_move(any_move(game, random));
    }
  }
}

TEST(OthelloGame, ComesBackToWhereItWas) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    OthelloGame game;
    std::vector<std::uint64_t> keys{game.key()};
    while (game.verdict().result == Result::unknown) {
      game.do_move(any_move(game, random));
      keys.push_back(game.key());
      ASSERT_EQ(static_cast<std::size_t>(game.ply()) + 1, keys.size());
      ASSERT_LE(game.ply(), kMostPlies);
    }
    EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), keys.size());
    for (; game.ply() > 0; keys.pop_back()) {
      ASSERT_EQ(game.key(), keys.back());
      game.undo_move();
    }
    EXPECT_EQ(game.board(), Board::start());
  }
}

TEST(OthelloGame, ShowsANetworkStonesAndTheBoard) {
  std::vector<nn::Plane> planes(kPlanes);
  OthelloGame game;
  game.do_move(static_cast<mcts::MoveCode>(*parse_square("d3")));
  game.write(planes, {});
  EXPECT_EQ(planes[0][0], 1ULL << 36);  // e5: white's turn
  EXPECT_EQ(planes[1][0], 1ULL << 19 | 1ULL << 27 | 1ULL << 28 | 1ULL << 35);
  EXPECT_EQ(planes[2][0], ~0ULL);
  for (const nn::Plane& plane : planes) EXPECT_EQ(plane[1], 0U);
  EXPECT_TRUE(check_shape(default_shape()));
  nn::Shape wrong = default_shape();
  wrong.edge = 9;
  ASSERT_FALSE(check_shape(wrong));
  EXPECT_EQ(check_shape(wrong).error(),
            "2 blocks x 16 channels, ReLU, 3+0 inputs, 81 labels, boards of 9x9: Othello has 3+0 inputs and 64 labels "
            "on 8x8");
}

TEST(OthelloGame, HasAPassAsItsOnlyMove) {
  OthelloGame game(Board{.own = 2, .other = 1}, 7);  // own b1 beside a1: only the other side can move
  std::array<mcts::LabelledMove, OthelloGame::kMostMoves> moves;
  ASSERT_EQ(game.moves(moves), 1U);
  EXPECT_EQ(moves[0].move, kPass);
  EXPECT_EQ(game.verdict().result, Result::unknown);
  game.do_move(kPass);
  EXPECT_EQ(game.ply(), 8);
  ASSERT_EQ(game.moves(moves), 1U);
  game.do_move(moves[0].move);  // c1: black is wiped out
  EXPECT_EQ(game.verdict().result, Result::loss);
}

TEST(OthelloGame, IsSolvedByTheSearchWithoutANetwork) {
  std::mt19937_64 random(12);
  int results[3] = {};
  for (int i = 0; i < 30; ++i) {
    const OthelloGame game = late_game(random, 6);
    mcts::Tree tree(4 << 20);
    mcts::Batcher batcher(std::make_unique<mcts::UniformBackend>(default_shape()), 1);
    mcts::TreeSearch search(tree, {}, game);
    mcts::Allowance allowance{.playouts = 100'000};
    const auto both = [&]() -> mcts::Task {
      co_await search.prepare(batcher, std::nullopt);
      co_await search.play_out(batcher, allowance);
    };
    mcts::Task task = both();
    task.start();
    while (batcher.has_waiting()) {
      ASSERT_TRUE(batcher.evaluate());
      batcher.resume_all();
    }
    task.check();
    const int lead = best_lead(game.board());
    const Result expected = lead > 0 ? Result::win : lead < 0 ? Result::loss : Result::draw;
    EXPECT_EQ(tree[tree.root()].known(), expected) << i;
    ++results[lead > 0 ? 2 : lead < 0 ? 0 : 1];
  }
  EXPECT_GT(results[0], 3);
  EXPECT_GT(results[2], 3);
}

TEST(TreeNoise, ChangesPriorsOfTheRootAndTheirOrder) {
  mcts::Tree tree(1 << 16);
  mcts::Batcher batcher(std::make_unique<mcts::UniformBackend>(default_shape()), 1);
  mcts::TreeSearch search(tree, {}, OthelloGame());
  mcts::Task task = search.prepare(batcher, std::nullopt);
  task.start();
  ASSERT_TRUE(batcher.evaluate());
  batcher.resume_all();
  const std::vector<mcts::Edge> before(tree.edges(tree[tree.root()]).begin(), tree.edges(tree[tree.root()]).end());
  ASSERT_EQ(before.size(), 4U);
  mcts::mix_into_priors(tree, std::vector<float>{0, 0.2F, 0.8F, 0}, 0.25F);
  const auto after = tree.edges(tree[tree.root()]);
  EXPECT_EQ(after[0].move(), before[2].move());
  EXPECT_NEAR(after[0].prior(), 0.75 * 0.25 + 0.25 * 0.8, 1e-3);
  EXPECT_EQ(after[1].move(), before[1].move());
  EXPECT_NEAR(after[1].prior(), 0.75 * 0.25 + 0.25 * 0.2, 1e-3);
  EXPECT_NEAR(after[3].prior(), 0.75 * 0.25, 1e-3);
}

}  // namespace
}  // namespace fuhyo::othello
