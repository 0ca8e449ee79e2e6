// Self-play of a policy and value network: hundreds of games at once in one thread, which share batches and a cache of
// evaluations. A game depends on its number alone, not on the games beside it or on interruptions. One thread at a
// time.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/learn/generate/job.h"
#include "engines/learn/generate/policy/game.h"
#include "engines/mate/solver.h"
#include "engines/mcts/tree/batcher.h"
#include "engines/mcts/tree/task.h"
#include "engines/mcts/tree/tree.h"
#include "engines/nn/backend.h"

namespace fuhyo::learn {

// What does not change the games.
struct PolicyThreadOptions {
  std::uint32_t at_once = 256;          // games of the thread
  std::size_t cache_bytes = 64U << 20;  // of evaluations
  // Called between two batches.
  std::function<void()> between_batches{};
};

struct PolicyCounts {
  std::uint64_t games = 0;      // that have ended
  std::uint64_t positions = 0;  // in which a move was made
  std::uint64_t recorded = 0;   // ... that are to be learnt
  std::uint64_t playouts = 0;
  std::uint64_t evaluated = 0, room = 0, hits = 0;  // mcts::Batcher::Counts

  PolicyCounts operator-(const PolicyCounts& before) const;
};
// "12 positions/s, 345 playouts/s, batches 97 % full, 31 % of evaluations known".
std::string to_text(const PolicyCounts& counts, double seconds);

class PolicySelfPlay {
 public:
  // Fails if the network cannot be loaded, or does not play shogi.
  static std::expected<PolicySelfPlay, std::string> make(const PolicyPlayOptions& options,
                                                         const PolicyThreadOptions& thread_options);
  PolicySelfPlay(std::unique_ptr<nn::Backend> backend, const PolicyPlayOptions& options,
                 const PolicyThreadOptions& thread_options);

  // Plays game number `first` and those that follow, one for each of `games`, which may have been begun. Afterwards all
  // are over, unless `stop` was requested. Errors: there is no balanced start for a game, or the back end failed.
  std::expected<void, std::string> play(std::uint64_t first, std::vector<PolicyGame>& games, const Starts& starts,
                                        const std::stop_token& stop);

  const PolicyCounts& counts() const { return counts_; }
  const std::string& description() const { return description_; }  // of the network, for people

 private:
  struct Run;
  static mcts::Task play_in_turn(Run& run);
  static mcts::Task play_game(Run& run, mcts::Tree& tree, std::uint64_t number, PolicyGame& game);
  static mcts::Task play_from(Run& run, mcts::Tree& tree, const GameRandom& game_random, PolicyBoard& board,
                              PolicyGame& game, bool& even);
  bool find_mate(const PolicyBoard& board, shogi::Move& move);

  PolicyPlayOptions options_;
  PolicyThreadOptions thread_options_;
  std::unique_ptr<nn::Backend> backend_;
  std::unique_ptr<mcts::EvaluationCache> cache_;
  mate::Solver solver_;
  PolicyCounts counts_;
  std::string description_;
};

}  // namespace fuhyo::learn
