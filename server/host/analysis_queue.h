// The queue of analyses of finished games: requests, tasks for the engine, and its answers. A state machine without an
// engine, a clock or a thread. The caller holds a lock: one thread at a time. Times are monotonic milliseconds.
//
// Promises: whatever an engine says, answers are legal and bounded; a position on which it fails harms no other one.
// Single positions, for which somebody waits, and whole games take turns.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/usi/values.h"
#include "server/core/analyst.h"
#include "server/host/lru_cache.h"

namespace fuhyo::host {

struct AnalysisLimits {
  std::size_t positions = 32, games = 8;  // that are not done, of all callers
  std::size_t positions_of_caller = 4, games_of_caller = 2;
  // A request that nobody has repeated for so long is dropped: pages ask twice a second, hidden ones once a minute.
  std::int64_t patience_ms = 5'000, game_patience_ms = 90'000;
  std::int64_t failed_for_ms = 60'000;  // how long a failure is the answer before the engine is asked again
  int attempts = 2;                     // at a position on which the engine dies
  std::size_t moves = 32;               // of one line
  // Of what is done: an answer about a position takes about 2 KiB, one about a game 500 bytes a move.
  std::size_t kept_bytes = 16 * 1024 * 1024;
};

class AnalysisQueue {
 public:
  // Nodes the engine may look at: about a single position, and about each one of a whole game.
  AnalysisQueue(const AnalysisLimits& limits, std::int64_t nodes, std::int64_t game_nodes)
      : limits_(limits), nodes_(nodes), game_nodes_(game_nodes), kept_(limits.kept_bytes) {}

  // ---- what is asked ----
  core::PositionReport position(const core::PlayedGame& game, std::size_t ply, int lines, const std::string& caller,
                                std::int64_t now);
  core::GameReport game(const core::PlayedGame& game, const std::string& caller, std::int64_t now);

  // ---- what the engine does ----
  struct Task {
    bool another = false;  // its game, or the number of lines, is not the former one's
    int lines = 1;
    std::int32_t max_moves = 0;
    shogi::DeclarationRule declaration{};
    std::string position;  // the whole USI line
    usi::GoLimits limits;
  };
  // The engine is free: its next task. Nothing: there is none.
  std::optional<Task> next(std::int64_t now);
  void said(const usi::Info& info);
  // False: what the engine says makes no sense. Call failed() then.
  bool answered(const usi::BestMove& best, std::int64_t now);
  // The engine died during its task, if it has one.
  void failed(std::int64_t now);
  // The engine cannot be used: requests that wait fail, and no more are accepted.
  void set_away(bool away);
  // A fresh engine of this name, which remembers nothing.
  void set_engine(std::string name) {
    engine_ = std::move(name);
    former_.reset();
  }

  bool idle() const { return positions_.empty() && games_.empty(); }

 private:
  struct Key {
    std::uint64_t game = 0;
    std::int64_t ply = kWhole;
    int lines = 1;
    auto operator<=>(const Key&) const = default;
  };
  static constexpr std::int64_t kWhole = -1;
  struct Job {
    Key key;
    core::PlayedGame game;
    std::string caller;
    std::int64_t asked_at = 0;
    core::AnalysedGame positions;  // all of a game, or the one
    std::size_t done = 0;          // from the end, so that an engine knows what comes of a move when it looks at it
    int attempts = 0;              // at the next one
  };
  struct Kept {
    core::AnalysedGame positions;
    std::optional<std::int64_t> failed_at;
  };
  struct Running {
    Key key;
    shogi::Position position;
    core::AnalysedPosition answer;
    std::vector<bool> exact;  // of its lines
  };

  using Jobs = std::deque<Job>;
  Jobs& jobs_of(const Key& key) { return key.ply == kWhole ? games_ : positions_; }
  Job* find(const Key& key);
  const Kept* kept(const Key& key, std::int64_t now);
  // Queues it unless it waits already; nothing if it may not be.
  std::optional<core::AnalysisState> admit(const Key& key, const core::PlayedGame& game, const std::string& caller,
                                           std::int64_t now);
  core::AnalysisState state_of(const Job& job) const;
  void forget_abandoned(Jobs& jobs, std::int64_t now);
  static std::size_t ply_of(const Job& job);
  // Takes the answer to the next position of a job (nothing: there is none). False: that was the last one.
  bool take(Job& job, std::optional<core::AnalysedPosition> answer, std::int64_t now);
  Job* choose();
  std::optional<Task> begin(Job& job, std::int64_t now);

  const AnalysisLimits limits_;
  const std::int64_t nodes_, game_nodes_;
  std::string engine_;
  bool away_ = false;
  Jobs positions_, games_;
  std::optional<Running> running_;
  std::optional<std::pair<std::uint64_t, int>> former_;  // game and lines of the task before
  bool game_was_last_ = false;
  LruCache<Key, Kept> kept_;
};

}  // namespace fuhyo::host
