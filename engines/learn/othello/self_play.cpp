#include "engines/learn/othello/self_play.h"

#include <algorithm>

#include "engines/mcts/tree/together.h"

namespace fuhyo::learn {
namespace {

using match::tune::Random;
using mcts::Batcher;
using mcts::Task;
using othello::OthelloGame;

// What the coroutines of one thread share. They hold references to it: it stays where it is.
struct OthelloRun {
  const OthelloPlayOptions& options;
  const std::stop_token& stop;
  Batcher batcher;
  std::uint64_t next = 0, end = 0;  // games that nobody plays yet

  bool open() const { return next < end && !stop.stop_requested(); }
};

// A coroutine with a tree of its own, which takes one game after the other.
Task play_in_turn(OthelloRun& run, std::vector<OthelloRecord>& games, std::uint64_t first) {
  mcts::Tree tree(run.options.search.tree_bytes());
  while (run.open()) {
    const std::uint64_t number = run.next++;
    Random random(run.options.seed, number);
    OthelloRecord& record = games[number - first];
    OthelloGame game;
    tree.clear();
    while (game.verdict().result == mcts::Result::unknown && !run.stop.stop_requested()) {
      auto move = only_move(game);
      if (!move) {
        co_await search_othello(tree, game, run.batcher, run.options.search, random);
        move = drawn_of(tree, run.options.search, random);
      }
      record.moves.push_back(static_cast<std::uint8_t>(*move));
      game.do_move(*move);
    }
  }
}

mcts::MoveCode any_of(const OthelloGame& game, Random& random) {
  std::array<mcts::LabelledMove, OthelloGame::kMostMoves> moves;
  const std::size_t count = game.moves(moves);
  return moves[random.below(count)].move;
}

Task play_random_in_turn(OthelloRun& run, OthelloScore& score) {
  mcts::Tree tree(run.options.search.tree_bytes());
  while (run.open()) {
    const std::uint64_t number = run.next++;
    Random random(run.options.seed, number);
    OthelloGame game;
    tree.clear();
    const int ours = static_cast<int>(number % 2);  // plies that are the network's
    while (game.verdict().result == mcts::Result::unknown) {
      auto move = only_move(game);
      if (!move && game.ply() % 2 == ours) {
        co_await search_othello(tree, game, run.batcher, run.options.search, random);
        move = best_of(tree, run.options.search);
      }
      game.do_move(move ? *move : any_of(game, random));
    }
    mcts::Result result = game.verdict().result;
    if (game.ply() % 2 != ours) result = mcts::reversed(result);
    ++(result == mcts::Result::win ? score.wins : result == mcts::Result::loss ? score.losses : score.draws);
  }
}

std::uint32_t slots_for(const OthelloPlayOptions& options, std::uint64_t games) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(games, 1, std::max(1U, options.at_once)));
}

}  // namespace

std::expected<std::vector<OthelloRecord>, std::string> play_othello(std::unique_ptr<nn::Backend> backend,
                                                                    const OthelloPlayOptions& options,
                                                                    std::uint64_t first, std::uint64_t count,
                                                                    const std::stop_token& stop) {
  const std::uint32_t slots = slots_for(options, count);
  OthelloRun run{.options = options,
                 .stop = stop,
                 .batcher = Batcher(std::move(backend), slots),
                 .next = first,
                 .end = first + count};
  std::vector<OthelloRecord> games(count);
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < slots; ++i) tasks.push_back(play_in_turn(run, games, first));
  if (auto done = mcts::run_together(run.batcher, tasks); !done) return std::unexpected(done.error());
  if (stop.stop_requested()) games.clear();
  return games;
}

std::expected<OthelloScore, std::string> beat_random(std::unique_ptr<nn::Backend> backend,
                                                     const OthelloPlayOptions& options, std::uint64_t games,
                                                     const std::stop_token& stop) {
  OthelloPlayOptions quiet = options;
  quiet.search.noise = 0;
  const std::uint32_t slots = slots_for(options, games);
  OthelloRun run{
      .options = quiet, .stop = stop, .batcher = Batcher(std::move(backend), slots), .next = 0, .end = games};
  OthelloScore score;
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < slots; ++i) tasks.push_back(play_random_in_turn(run, score));
  if (auto done = mcts::run_together(run.batcher, tasks); !done) return std::unexpected(done.error());
  return stop.stop_requested() ? OthelloScore{} : score;
}

}  // namespace fuhyo::learn
