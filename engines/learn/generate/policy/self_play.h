// Games of a policy and value network against itself, hundreds of them at once in one thread: their positions are
// evaluated together, and what was said of one is kept for all. The same number is the same game, whoever plays beside
// and however often it was cut off. One thread at a time.
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
struct PolicyHallOptions {
  std::uint32_t at_once = 256;          // games of the thread
  std::size_t cache_bytes = 64U << 20;  // of what the network has said
  // Asked between two batches.
  std::function<void()> look{};
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
                                                         const PolicyHallOptions& hall);
  PolicySelfPlay(std::unique_ptr<nn::Backend> backend, const PolicyPlayOptions& options, const PolicyHallOptions& hall);

  // Plays game number `first` and those that follow, one for each of `games`, which may have been begun. All are over
  // then, unless it was asked to stop; games() may be asked meanwhile. An error: no start is to be had for a game, or
  // the back end's.
  std::expected<void, std::string> play(std::uint64_t first, std::vector<PolicyGame>& games, const Starts& starts,
                                        const std::stop_token& stop);

  const PolicyCounts& counts() const { return counts_; }
  const std::string& description() const { return description_; }  // of the network, for people

 private:
  struct Hall;
  static mcts::Task sit(Hall& hall);
  static mcts::Task play_game(Hall& hall, mcts::Tree& tree, std::uint64_t number, PolicyGame& game);
  static mcts::Task play_from(Hall& hall, mcts::Tree& tree, const PolicyLots& lots, PolicyBoard& board,
                              PolicyGame& game, bool& even);
  bool find_mate(const PolicyBoard& board, shogi::Move& move);

  PolicyPlayOptions options_;
  PolicyHallOptions hall_;
  std::unique_ptr<nn::Backend> backend_;
  std::unique_ptr<mcts::EvaluationCache> cache_;
  mate::Solver solver_;
  PolicyCounts counts_;
  std::string description_;
};

}  // namespace fuhyo::learn
