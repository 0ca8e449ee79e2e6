// Watches a search from its first worker: when to stop, and what to tell the GUI. Runs on that worker's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engines/nnue/search/worker.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

class Supervisor final : public Worker::Observer {
 public:
  using Report = std::function<void(const usi::Info&)>;

  Supervisor(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
             const usi::SearchControl& control, const Report& report, const TranspositionTable& table,
             std::span<const std::unique_ptr<Worker>> workers);

  int nodes_until_next_look(const Worker& worker) override;
  void found(const Worker& worker, int line) override;
  bool suffices(const Worker& worker) override;

  std::int64_t nodes() const;  // of all workers
  // Of the nodes that a search is limited to: those of each worker.
  std::int64_t share() const;
  // Of a MultiPV search: the lines of the last iteration that was finished, best first.
  std::vector<usi::Info> take_lines() { return std::move(lines_); }
  // The search is over, and this worker's move is played: tells of it and of all that was searched, unless that was the
  // last that was told.
  void conclude(const Worker& chosen);
  // What the first line was worth when it was told last.
  const std::optional<usi::Score>& score() const { return told_score_; }
  // The answer that was expected to this move when it was told last with one; no move if there is none.
  shogi::Move expected_after(shogi::Move move) const { return move == answered_ ? answer_ : shogi::Move{}; }

 private:
  // All lines, best first: the first ones with what the iteration at hand found, the others with what was known before.
  void tell(const Worker& worker, int lines_found);
  usi::Info info_of(const Worker& worker, int line, int value, bool fresh) const;
  int lines_of(const Worker& worker) const;
  void keep_lines(const Worker& worker);
  bool has_enough() const;
  bool is_told_to_stop();  // by the GUI or the clock
  void wait_for_helpers();
  void decide_at_hit(std::int64_t clock_ms);
  bool clock_runs() const { return plan_.limited() && !control_.pondering(); }

  const SearchTask& task_;
  const usi::GoLimits& limits_;
  const usi::TimePlan& plan_;
  const usi::SearchControl& control_;
  const Report& report_;
  const TranspositionTable& table_;
  std::span<const std::unique_ptr<Worker>> workers_;

  shogi::Move best_, told_, answered_, answer_;
  std::int64_t told_nodes_ = -1;
  std::vector<usi::Info> lines_;
  std::optional<usi::Score> told_score_;
  int stable_iterations_ = 0;
  int previous_value_ = kUnknown;
  std::int64_t enough_ms_ = usi::kForever;   // what this search deserves, as far as is known
  std::int64_t stop_at_ms_ = usi::kForever;  // decided
  bool awaiting_hit_;
};

// Mates as mates, everything else in centipawns.
usi::Score to_usi_score(int value, usi::Score::Bound bound);

}  // namespace fuhyo::nnue
