// Games of Othello of a network against itself and against moves at random, and how moves are drawn for them.
#include "engines/learn/othello/self_play.h"

#include <numeric>
#include <set>

#include "engines/learn/generate/dirichlet.h"
#include "tests/unit/learn/othello/fake_network.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

OthelloPlayOptions quick(int playouts) {
  OthelloPlayOptions options;
  options.search.playouts = playouts;
  return options;
}

std::unique_ptr<nn::Backend> corners() { return std::make_unique<CornerLover>(); }

TEST(OthelloSelfPlay, PlaysTheGamesOfItsNumbersWhoeverPlaysBeside) {
  OthelloPlayOptions options = quick(8);
  const auto together = must(play_othello(corners(), options, 10, 12, {}));
  ASSERT_EQ(together.size(), 12U);
  EXPECT_EQ(*play_othello(corners(), options, 10, 12, {}), together);
  options.at_once = 3;
  const auto some = must(play_othello(corners(), options, 14, 5, {}));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(some[i], together[4 + i]);
  std::set<std::vector<std::uint8_t>> different;
  for (const OthelloRecord& game : together) different.insert(game.moves);
  EXPECT_EQ(different.size(), 12U);
  options.seed = 2;
  EXPECT_NE(play_othello(corners(), options, 14, 5, {})->front(), together[4]);
}

TEST(OthelloSelfPlay, StopsAndFails) {
  EXPECT_TRUE(must(play_othello(corners(), quick(2), 0, 4, stopped())).empty());
  struct Broken final : nn::Backend {
    const nn::Shape& shape() const override { return shape_; }
    std::string name() const override { return ""; }
    std::uint32_t best_batch() const override { return 1; }
    std::unique_ptr<nn::Backend> for_another_thread() const override { return std::make_unique<Broken>(); }
    std::expected<void, std::string> evaluate(const nn::Batch&, nn::Evaluations&) override {
      return std::unexpected("the device is gone");
    }
    nn::Shape shape_ = othello::default_shape();
  };
  EXPECT_EQ(error_of(play_othello(std::make_unique<Broken>(), quick(2), 0, 4, {})), "the device is gone");
  EXPECT_FALSE(beat_random(std::make_unique<Broken>(), quick(2), 4, {}));
}

TEST(OthelloSelfPlay, CountsGamesAgainstMovesAtRandom) {
  const auto once = must(beat_random(corners(), quick(1), 200, {}));
  EXPECT_EQ(once.games(), 200U);
  EXPECT_GT(once.wins, 120U);  // corners are worth that much
  EXPECT_GT(once.losses, 5U);
  EXPECT_GT(must(beat_random(corners(), quick(100), 40, {})).wins, 30U);  // and seeing the end helps
}

// Where the tree of the search before is gone on with, moves keep their own visits when noise changes their order.
TEST(OthelloSearch, KeepsVisitsWithTheirMovesUnderNoise) {
  match::tune::Random random(5, 0);
  OthelloSearchOptions options;
  options.playouts = 60;
  mcts::Tree tree(options.tree_bytes());
  mcts::Batcher batcher(corners(), 1);
  othello::OthelloGame game;
  const auto search = [&] {
    mcts::Task task = search_othello(tree, game, batcher, options, random);
    task.start();
    while (batcher.has_waiting()) {
      ASSERT_TRUE(batcher.evaluate());
      batcher.resume_all();
    }
    task.check();
  };
  for (int ply = 0; ply < 6; ++ply) {
    search();
    const mcts::Node& root = tree[tree.root()];
    std::uint32_t visits = 0;
    for (std::size_t i = 0; i < root.child_count; ++i) {
      const mcts::Child& child = tree.children(root)[i];
      visits += child.visits;
      if (child.node == 0) continue;
      othello::OthelloGame after = game;
      after.do_move(tree.edges(root)[i].move());
      EXPECT_EQ(tree[child.node].key, after.key()) << ply << " " << i;
    }
    EXPECT_EQ(visits, 60U);
    game.do_move(drawn_of(tree, options, random));
    if (const auto only = only_move(game)) game.do_move(*only);
  }
}

TEST(OthelloSearch, DrawsFromDirichletsDistribution) {
  match::tune::Random random(1, 0);
  for (const double alpha : {0.3, 1.6}) {
    double squares = 0;
    constexpr int kDraws = 4000;
    for (int i = 0; i < kDraws; ++i) {
      const auto drawn = dirichlet(5, alpha, random);
      EXPECT_NEAR(std::accumulate(drawn.begin(), drawn.end(), 0.0), 1, 1e-5);
      EXPECT_GE(*std::ranges::min_element(drawn), 0);
      squares += static_cast<double>(drawn[2]) * drawn[2];
    }
    // The mean of a square is (alpha + 1) / (n (n alpha + 1)).
    EXPECT_NEAR(squares / kDraws, (alpha + 1) / (5 * (5 * alpha + 1)), 0.01) << alpha;
  }
}

}  // namespace
}  // namespace fuhyo::learn
