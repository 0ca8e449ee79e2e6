// The tree search over small games whose truth is known, and over shogi.
#include "engines/mcts/tree/tree_search.h"

#include <random>

#include "engines/mcts/shogi/shogi_game.h"
#include "engines/mcts/tree/root_moves.h"
#include "engines/mcts/tree/search_threads.h"
#include "engines/mcts/tree/uniform_backend.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/game.h"
#include "tests/unit/mcts/toy_games.h"

namespace fuhyo::mcts {
namespace {

// A search with everything that it needs.
template <Game G>
struct Lab {
  explicit Lab(const G& game, std::size_t bytes = 4 << 20, Parameters parameters = {})
      : tree(bytes), search(tree, parameters, game) {}

  void run(std::int64_t playouts, const nn::Shape& shape = kToyShape, std::uint32_t batch = 4, int threads = 1) {
    std::vector<std::unique_ptr<nn::Backend>> backends;
    for (int i = 0; i < threads; ++i) backends.push_back(std::make_unique<UniformBackend>(shape));
    SearchThreads<G> search_threads(std::move(backends), batch);
    ASSERT_TRUE(search_threads.prepare(search, std::nullopt));
    if (before) before();
    Allowance allowance{.playouts = playouts};
    ASSERT_TRUE(search_threads.play_out(search, allowance, {}));
  }
  const Node& root() const { return tree[tree.root()]; }
  RootMove best() const {
    const auto order = ranking(tree, root(), search.parameters(), FinalMove::visits, search.allowed());
    return root_move_of(tree, search.parameters(), order.front());
  }

  Tree tree;
  TreeSearch<G> search;
  std::function<void()> before;
};

// Every visit is over, and sums are those of values. `forgetful`: some nodes may have lost their children.
void expect_sound(const Tree& tree, NodeId id, bool forgetful = false) {
  const Node& node = tree[id];
  std::uint64_t visits = 0, sum = 0;
  for (const Child& child : tree.children(node)) {
    visits += child.visits;
    sum += child.sum;
    EXPECT_LE(child.sum, child.visits * kOne);
    if (child.node != 0 && node.ply < 3) expect_sound(tree, child.node, forgetful);
  }
  EXPECT_GE(node.visits, visits);
  EXPECT_GE(node.sum, sum);
  // Its own evaluation, and what is below it; what is known is visited without going on.
  if (node.known() == Result::unknown && !forgetful) EXPECT_LE(node.visits, visits + 1);
}

TEST(TreeSearch, PlaysTicTacToePerfectly) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    TicTacToe game;
    for (std::size_t ply = random() % 5; ply > 0; --ply) {
      std::array<LabelledMove, 9> moves;
      game.do_move(moves[random() % game.moves(moves)].move);
      if (game.verdict().result != Result::unknown) {
        game.undo_move();
        break;
      }
    }
    Lab lab(game);
    lab.run(20'000);
    // Wins and losses are proven; a draw is when all that is left has been looked at.
    const Result is = truth(game);
    if (is != Result::draw || lab.root().known() != Result::unknown) EXPECT_EQ(lab.root().known(), is) << trial;
    TicTacToe after = game;
    after.do_move(lab.best().move);
    EXPECT_EQ(reversed(truth(after)), is) << "the move played keeps the result";
    if (is != Result::draw) EXPECT_LT(lab.search.counts().playouts, 20'000) << "what is known needs no more search";
    expect_sound(lab.tree, lab.tree.root());
  }
}

TEST(TreeSearch, ManyGamesShareTheBatchesOfOneThread) {
  constexpr std::size_t kGames = 40;
  struct Largest final : nn::Backend {
    explicit Largest(std::uint32_t* most) : largest(most) {}
    const nn::Shape& shape() const override { return kToyShape; }
    std::string name() const override { return ""; }
    std::uint32_t best_batch() const override { return 1; }
    std::unique_ptr<nn::Backend> for_another_thread() const override { return std::make_unique<Largest>(largest); }
    std::expected<void, std::string> evaluate(const nn::Batch& in, nn::Evaluations& out) override {
      *largest = std::max(*largest, in.size());
      for (std::uint32_t i = 0; i < in.size(); ++i) out.value(i) = 0.5F;
      return {};
    }
    std::uint32_t* largest;
  };
  std::uint32_t largest = 0;
  Batcher batcher(std::make_unique<Largest>(&largest), kGames);
  // A whole game: each move is searched with a tree of its own, one line after the other.
  const auto play = [](Batcher& shared, int& plies, Result& result) -> Task {
    TicTacToe game;
    while ((result = game.verdict().result) == Result::unknown) {
      Tree tree(256 << 10);
      TreeSearch search(tree, Parameters{}, game);
      co_await search.prepare(shared, std::nullopt);
      Allowance allowance{.playouts = 1500};
      co_await search.play_out(shared, allowance);
      const auto order = ranking(tree, tree[tree.root()], {}, FinalMove::visits, {});
      game.do_move(tree.edges(tree[tree.root()])[order.front()].move());
      ++plies;
    }
  };
  std::vector<int> plies(kGames);
  std::vector<Result> results(kGames);
  std::vector<Task> games;
  for (std::size_t i = 0; i < kGames; ++i) {
    games.push_back(play(batcher, plies[i], results[i]));
    games.back().start();
  }
  while (batcher.has_waiting()) {
    ASSERT_TRUE(batcher.evaluate());
    batcher.resume_all();
  }
  EXPECT_EQ(largest, kGames);
  for (std::size_t i = 0; i < kGames; ++i) {
    ASSERT_TRUE(games[i].done());
    games[i].check();
    EXPECT_EQ(results[i], Result::draw);
    EXPECT_EQ(plies[i], 9);
  }
}

// A result by coming back must not reach other lines through a node that they share. 150 games at random, most of them
// full of cycles.
TEST(TreeSearch, ProvesNothingFalseWhereLinesThatComeBackShareNodes) {
  std::mt19937 random(11);
  int proven = 0, copied = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const auto map = CycleGame::at_random(random, 7);
    if (map.ways[0].empty()) continue;
    CycleGame game(map);
    Lab lab(game);
    lab.run(20'000, kToyShape, 1 + random() % 4);
    if (lab.root().known() != Result::unknown) {
      ++proven;
      ASSERT_EQ(lab.root().known(), truth(game)) << "game " << trial;
    }
    expect_sound(lab.tree, lab.tree.root());
    copied += lab.root().path_dependent;
  }
  EXPECT_GT(proven, 120);
  EXPECT_EQ(copied, 0) << "no cycle begins before the root";
}

TEST(TreeSearch, GoesOnWithinAnyMemory) {
  std::mt19937 random(5);
  for (const std::size_t bytes : {2048U, 4096U, 16'384U, 65'536U}) {
    TicTacToe game;
    Lab lab(game, bytes);
    lab.run(5'000);
    EXPECT_LE(lab.tree.used(), lab.tree.capacity());
    EXPECT_LE(lab.tree.capacity(), bytes);
    EXPECT_GT(lab.root().visits, 100U) << bytes;
    expect_sound(lab.tree, lab.tree.root(), true);
    for (int trial = 0; trial < 40; ++trial) {
      const auto map = CycleGame::at_random(random, 7);
      if (map.ways[0].empty()) continue;
      CycleGame cycles(map);
      Lab small(cycles, bytes);
      small.run(3'000, kToyShape, 3);
      if (small.root().known() != Result::unknown) ASSERT_EQ(small.root().known(), truth(cycles)) << trial;
    }
  }
}

// ---- shogi ----

const nn::Shape kShogiShape{.channels = 1};

ShogiGame shogi_game(std::string_view text, const ShogiGame::Rules& rules = {}) {
  const auto game = usi::parse_position(text);
  EXPECT_TRUE(game) << game.error();
  return {game->start, game->moves, rules};
}
std::string usi_of(const RootMove& line) { return shogi::to_usi(shogi::Move::from_bits(line.move)); }

bool anything_shared(const Tree& tree, const Node& node) {
  return std::ranges::any_of(tree.children(node), [&](const Child& child) {
    return child.node != 0 && (tree[child.node].references > 1 || anything_shared(tree, tree[child.node]));
  });
}

TEST(ShogiSearch, SharesNodesOfLinesThatTranspose) {
  Lab lab(shogi_game("startpos"), 32 << 20);
  lab.run(30'000, kShogiShape, 8);
  expect_sound(lab.tree, lab.tree.root());
  EXPECT_EQ(lab.root().visits, 30'000U);
  EXPECT_TRUE(anything_shared(lab.tree, lab.root()));
}

TEST(ShogiSearch, ThreadsShareOneTree) {
  Lab lab(shogi_game("sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"), 8 << 20);
  lab.run(20'000, kShogiShape, 4, 4);
  EXPECT_GT(lab.root().visits, 19'500U) << "for want of memory a line now and then comes to nothing";
  expect_sound(lab.tree, lab.tree.root(), true);
  EXPECT_LE(lab.tree.used(), std::size_t{8} << 20);
}

TEST(ShogiSearch, IsTheSameEachTimeOnOneThread) {
  std::vector<std::uint64_t> sums;
  for (int i = 0; i < 2; ++i) {
    Lab lab(shogi_game("startpos moves 7g7f 3c3d 8h2b+ 3a2b"), 2 << 20);
    lab.run(10'000, kShogiShape, 8);
    sums.push_back(lab.root().sum + static_cast<std::uint64_t>(lab.search.counts().plies));
  }
  EXPECT_EQ(sums[0], sums[1]);
}

TEST(ShogiSearch, ProvesMatesByItsOwnMovesAndByTheSolverAtLeaves) {
  // Gold on the head, with and without looking for mates at leaves; and a mate in three.
  for (const int plies : {0, 1, 3}) {
    Lab lab(shogi_game("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {.mate_plies = plies}));
    lab.run(5'000, kShogiShape);
    EXPECT_EQ(lab.root().known(), Result::win) << plies;
    EXPECT_EQ(usi_of(lab.best()), "G*5b");
    EXPECT_EQ(lab.best().distance, 1);
  }
  Lab lab(shogi_game("sfen 7nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL b GR5Pnsgl 1"), 16 << 20);
  lab.run(3'000, kShogiShape);
  if (lab.root().known() == Result::win) EXPECT_EQ(lab.best().result, Result::win);
}

TEST(ShogiSearch, KnowsWhenItIsMatedWhateverItDoes) {
  // White mates next move, and nothing helps: the king in the corner has one move.
  Lab lab(shogi_game("sfen 9/9/9/9/9/9/4g4/4p4/4K4 b g 1", {.mate_plies = 1}));
  lab.run(5'000, kShogiShape);
  EXPECT_EQ(lab.root().known(), Result::loss);
  EXPECT_TRUE(lab.search.exhausted());
}

// Black checks for ever: whoever checks loses by it, within the search at once, and with the game before it the fourth
// time.
TEST(ShogiSearch, DoesNotRunIntoPerpetualCheck) {
  constexpr std::string_view kSfen = "sfen 4k4/9/9/9/4R4/9/9/9/4K4 w - 1";
  const std::string once = " 5a4a 5e4e 4a5a 4e5e", start = std::string(kSfen) + " moves";
  EXPECT_EQ(shogi_game(start + once).verdict().result, Result::unknown) << "nobody has to go on like this";
  EXPECT_EQ(shogi_game(start + once + once).verdict().result, Result::unknown);
  const Verdict four = shogi_game(start + once + once + once).verdict();
  EXPECT_EQ(four.result, Result::win) << "for White, who was checked all the time";
  EXPECT_TRUE(four.proven);
  auto before = shogi_game(start + " 5a4a 5e4e 4a5a");
  before.do_move(shogi::parse_usi_move("4e5e")->bits());
  EXPECT_EQ(before.verdict().result, Result::unknown);
  auto within = shogi_game(kSfen);
  for (const char* move : {"5a4a", "5e4e", "4a5a", "4e5e"}) within.do_move(shogi::parse_usi_move(move)->bits());
  EXPECT_EQ(within.verdict().result, Result::win);
  EXPECT_TRUE(within.verdict().proven);
  EXPECT_EQ(within.verdict().since, 1);
}

TEST(ShogiSearch, ARicherHandCountsWithinTheSearchOnly) {
  constexpr std::string_view kSfen = "sfen 8k/9/2b6/9/4R4/9/9/9/K8 w p 1", kFirst = "P*5d 5e5d 1a2a 5d5f 2a1a";
  auto before = shogi_game(std::string(kSfen) + " moves " + std::string(kFirst));
  before.do_move(shogi::parse_usi_move("5f5e")->bits());
  EXPECT_EQ(before.verdict().result, Result::unknown);
  auto within = shogi_game(kSfen);
  for (const char* move : {"P*5d", "5e5d", "1a2a", "5d5f", "2a1a", "5f5e"}) {
    within.do_move(shogi::parse_usi_move(move)->bits());
  }
  EXPECT_EQ(within.verdict().result, Result::loss) << "for White, who has a pawn less";
  EXPECT_FALSE(within.verdict().proven);
}

TEST(ShogiSearch, EndsAtTheMoveLimit) {
  Lab lab(shogi_game("startpos", {.max_moves = 2}));
  lab.run(30'000, kShogiShape);
  EXPECT_EQ(lab.root().known(), Result::draw);
  EXPECT_EQ(lab.search.counts().deepest, 2);
}

TEST(ShogiSearch, SeesADeclarationComing) {
  // Black lacks one move of the king into the zone.
  Lab lab(shogi_game("sfen +R+R+B+B+P+P+P+P+P/+P+P7/9/K8/9/9/9/9/4k4 b 4G4S4N4L4P 1", {.mate_plies = 0}), 32 << 20);
  lab.run(40'000, kShogiShape);
  EXPECT_EQ(lab.best().result == Result::win || lab.best().value > 0.9, true) << lab.best().value;
}

TEST(ShogiSearch, LooksAtNothingButTheMovesAskedFor) {
  Lab lab(shogi_game("startpos"));
  const std::vector<MoveCode> wanted = {shogi::parse_usi_move("9g9f")->bits(), shogi::parse_usi_move("1g1f")->bits()};
  lab.before = [&] { lab.search.restrict_to(wanted); };
  lab.run(500, kShogiShape);
  for (const Child& child : lab.tree.children(lab.root())) {
    const auto edge = static_cast<std::size_t>(&child - lab.tree.children(lab.root()).data());
    const bool asked = std::ranges::count(wanted, lab.tree.edges(lab.root())[edge].move()) > 0;
    EXPECT_EQ(child.visits > 0, asked);
  }
}

TEST(ShogiSearch, HasRoomForAsManyMovesAsThereCanBe) {
  Lab lab(shogi_game("sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {.mate_plies = 0}), 1 << 20);
  lab.run(3'000, kShogiShape, 4);
  EXPECT_GT(lab.root().edge_count, 512U);
  EXPECT_EQ(lab.root().child_count, lab.root().edge_count);
  EXPECT_LE(lab.tree.used(), lab.tree.capacity());
}

// The memory of a search is what it was given, and values stay sensible when it forgets.
TEST(ShogiSearch, GoesOnWhenItsMemoryIsFull) {
  Lab lab(shogi_game("startpos"), 1 << 20);
  lab.run(60'000, kShogiShape, 8);
  EXPECT_LE(lab.tree.capacity(), std::size_t{1} << 20);
  EXPECT_GT(lab.tree.used(), lab.tree.capacity() * 8 / 10);
  EXPECT_EQ(lab.root().visits, 60'000U);
  EXPECT_NEAR(to_mean(lab.root().sum, lab.root().visits), 0.5, 0.05);
  EXPECT_GT(lab.best().pv.size(), 2U) << "there is still a tree";
}

}  // namespace
}  // namespace fuhyo::mcts
