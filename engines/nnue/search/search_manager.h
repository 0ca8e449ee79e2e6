// Decides when a search stops, and reports it to the GUI. Runs on the thread of the first worker.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engines/nnue/search/worker.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

class SearchManager final : public Worker::Manager {
 public:
  using Report = std::function<void(const usi::Info&)>;

  SearchManager(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                const usi::SearchControl& control, const Report& report, const TranspositionTable& table,
                std::span<const std::unique_ptr<Worker>> workers);

  int check_time(const Worker& worker) override;
  void on_pv(const Worker& worker, int line) override;
  bool stop_after_iteration(const Worker& worker) override;

  std::int64_t nodes() const;  // of all workers
  // The limit of nodes of each worker.
  std::int64_t share() const;
  // Of a MultiPV search: the lines of the last iteration that was finished, best first.
  std::vector<usi::Info> take_lines() { return std::move(lines_); }
  // Ends the search: the move of `chosen` is played. Reports it with all that was searched, unless the last report says
  // the same.
  void conclude(const Worker& chosen);
  // The score of the first line, as it was reported last.
  const std::optional<usi::Score>& score() const { return reported_score_; }
  // The reply to `move` in the last reported line that had one; no move if there was none.
  shogi::Move expected_after(shogi::Move move) const { return move == answered_ ? answer_ : shogi::Move{}; }

 private:
  // All lines, best first: the first `lines_found` from this iteration, the others from the one before.
  void report_lines(const Worker& worker, int lines_found);
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

  shogi::Move best_, reported_, answered_, answer_;
  std::int64_t reported_nodes_ = -1;
  std::vector<usi::Info> lines_;
  std::optional<usi::Score> reported_score_;
  int stable_iterations_ = 0;
  int previous_value_ = kUnknown;
  std::int64_t enough_ms_ = usi::kForever;   // the time after which it is enough, as estimated last
  std::int64_t stop_at_ms_ = usi::kForever;  // decided
  bool awaiting_hit_;
};

// Mates as mates, everything else in centipawns.
usi::Score to_usi_score(int value, usi::Score::Bound bound);

}  // namespace fuhyo::nnue
