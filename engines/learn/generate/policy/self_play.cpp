#include "engines/learn/generate/policy/self_play.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/learn/generate/policy/search.h"
#include "engines/mcts/engine/built_in.h"
#include "engines/mcts/shogi/shogi_model.h"
#include "engines/mcts/tree/together.h"
#include "engines/record/training.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::learn {
namespace {

using mcts::Result;
using mcts::Task;

constexpr int kMostStarts = 200;  // that are drawn for one game
constexpr std::size_t kMateMegabytes = 4;
// What the processor's back end computes at a time: with whole batches of this, rounding is always the same.
constexpr std::uint32_t kWholeBatch = 8;

}  // namespace

PolicyCounts PolicyCounts::operator-(const PolicyCounts& before) const {
  return {.games = games - before.games,
          .positions = positions - before.positions,
          .recorded = recorded - before.recorded,
          .playouts = playouts - before.playouts,
          .evaluated = evaluated - before.evaluated,
          .room = room - before.room,
          .hits = hits - before.hits};
}

std::string to_text(const PolicyCounts& counts, double seconds) {
  const auto rate = [&](std::uint64_t count) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; };
  const auto part = [](std::uint64_t count, std::uint64_t of) {
    return of == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(of);
  };
  return fmt::format("{:.1f} positions/s, {:.0f} playouts/s, batches {:.0f} % full, {:.0f} % of evaluations known",
                     rate(counts.positions), rate(counts.playouts), part(counts.evaluated, counts.room),
                     part(counts.hits, counts.hits + counts.evaluated));
}

// What the coroutines of one call of play() share. They hold references to it, so it must not move.
struct PolicySelfPlay::Run {
  PolicySelfPlay& play;
  const Starts& starts;
  const std::stop_token& stop;
  mcts::Batcher batcher;
  std::uint64_t first;
  std::vector<PolicyGame>& games;
  std::size_t next = 0;  // the first game that no coroutine has taken
  std::string error{};

  bool open() const { return next < games.size() && !over(); }
  bool over() const { return stop.stop_requested() || !error.empty(); }
};

std::expected<PolicySelfPlay, std::string> PolicySelfPlay::make(const PolicyPlayOptions& options,
                                                                const PolicyThreadOptions& thread_options) {
  auto model = mcts::load_shogi_model(
      options.network.empty() ? mcts::built_in_network() : nn::ModelSource(std::filesystem::path(options.network)));
  if (!model) return std::unexpected(model.error());
  PolicySelfPlay made(std::move(model->backend), options, thread_options);
  made.description_ = model->description;
  return made;
}

PolicySelfPlay::PolicySelfPlay(std::unique_ptr<nn::Backend> backend, const PolicyPlayOptions& options,
                               const PolicyThreadOptions& thread_options)
    : options_(options),
      thread_options_(thread_options),
      backend_(std::move(backend)),
      cache_(std::make_unique<mcts::EvaluationCache>(thread_options.cache_bytes)) {
  if (options_.mate_nodes > 0) solver_.resize(kMateMegabytes);
}

std::expected<void, std::string> PolicySelfPlay::play(std::uint64_t first, std::vector<PolicyGame>& games,
                                                      const Starts& starts, const std::stop_token& stop) {
  const auto begun = std::ranges::count_if(games, [](const PolicyGame& game) { return !game.over; });
  const auto slots = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(begun), 1, std::max(1U, thread_options_.at_once)));
  Run run{.play = *this,
          .starts = starts,
          .stop = stop,
          .batcher = mcts::Batcher(backend_->for_another_thread(), slots, cache_.get(), kWholeBatch),
          .first = first,
          .games = games};
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < slots; ++i) tasks.push_back(play_in_turn(run));
  const PolicyCounts before = counts_;
  const auto count = [&] {
    const mcts::Batcher::Counts& batches = run.batcher.counts();
    counts_.evaluated = before.evaluated + batches.evaluated;
    counts_.room = before.room + batches.room;
    counts_.hits = before.hits + batches.hits;
  };
  const auto between_batches = [&] {
    count();
    if (thread_options_.between_batches) thread_options_.between_batches();
    return !run.over();
  };
  if (auto done = mcts::run_together(run.batcher, tasks, between_batches); !done) return done;
  count();
  if (!run.error.empty()) return std::unexpected(run.error);
  return {};
}

// A coroutine with a tree of its own, which takes one game after the other.
Task PolicySelfPlay::play_in_turn(Run& run) {
  mcts::Tree tree(tree_bytes(run.play.options_));
  while (run.open()) {
    const std::size_t i = run.next++;
    if (run.games[i].over) continue;
    co_await play_game(run, tree, run.first + i, run.games[i]);
  }
}

Task PolicySelfPlay::play_game(Run& run, mcts::Tree& tree, std::uint64_t number, PolicyGame& game) {
  const PolicyPlayOptions& options = run.play.options_;
  GameRandom game_random(options, number);
  const bool begun = !game.record.moves.empty();
  for (int i = 0; i < kMostStarts; ++i) {
    const auto start = run.starts.draw(game_random.starts());
    if (!start) continue;
    const auto packed = record::pack_hcp(*start);
    if (!packed || (begun && *packed != game.record.start)) continue;
    game.record.start = *packed;
    PolicyBoard board(options, game_random.to_the_end(), *start);
    if (auto done = replay(board, game.record); !done) {
      run.error = fmt::format("game {}: {}", number, done.error());
      co_return;
    }
    if (!begun && board.over_already()) continue;
    bool even = true;
    co_await play_from(run, tree, game_random, board, game, even);
    if (even) co_return;
  }
  run.error = begun ? fmt::format("game {}: what was kept of it begins elsewhere", number)
                    : fmt::format("game {}: none of {} starts can be played on and gives neither side more than {}",
                                  number, kMostStarts, options.most_at_start);
}

// `even`: whether the start gives neither side too much; nothing was played else.
Task PolicySelfPlay::play_from(Run& run, mcts::Tree& tree, const GameRandom& game_random, PolicyBoard& board,
                               PolicyGame& game, bool& even) {
  PolicySelfPlay& play = run.play;
  const PolicyPlayOptions& options = play.options_;
  auto end = board.over_already();
  while (!end) {
    Random random = game_random.of_move(board.moves_made());
    const bool full = random.uniform() < options.full && shogi::count_legal_moves(board.position()) > 1;
    const shogi::Color us = board.position().side_to_move();
    PolicySearchResult found;
    if (play.find_mate(board, found.move)) {
      found.known = Result::win;
      found.value = 1;
      if (full) found.candidates = {{.move = found.move, .visits = kPolicyShares}};
    } else {
      co_await search_policy(tree, board, run.batcher, options, full, random, found);
      play.counts_.playouts += static_cast<std::uint64_t>(found.playouts);
    }
    if (board.moves_made() == 0 && std::max(found.value, 1 - found.value) > options.most_at_start) {
      even = false;
      co_return;
    }
    if (found.known == Result::loss) {
      end = board.won(~us);
      break;
    }
    const std::int16_t score = PolicyPlayOptions::score_of(found.value);
    ++play.counts_.positions;
    if (!found.candidates.empty()) ++play.counts_.recorded;
    game.record.moves.push_back({.move = found.move, .score = score, .candidates = std::move(found.candidates)});
    end = board.play(found.move, score);
    // What is proven needs no playing out.
    if (found.known == Result::win) end = board.won(us);
    if (!end) end = board.over_already();
  }
  game.record.winner = end->winner;
  game.record.flags = end->flags;
  game.over = true;
  ++play.counts_.games;
}

bool PolicySelfPlay::find_mate(const PolicyBoard& board, shogi::Move& move) {
  if (options_.mate_nodes <= 0) return false;
  const mate::Answer answer = solver_.solve(board.position(), false, [&](std::uint64_t nodes) {
    return nodes >= static_cast<std::uint64_t>(options_.mate_nodes);
  });
  if (answer.kind != mate::Answer::Kind::mate) return false;
  const auto length = static_cast<int>(answer.line.size());
  move = answer.line.front();
  // Where its first move brings back a position of the game, checking on could be perpetual check.
  return board.position().ply() + length <= options_.draw_at_ply && !usi::brings_back(board.so_far(), move);
}

}  // namespace fuhyo::learn
