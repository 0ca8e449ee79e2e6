// Decides when a search stops, and reports it to the GUI. Its functions are called by the thread that drives the first
// batcher, between two batches.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engines/mcts/engine/settings.h"
#include "engines/mcts/shogi/shogi_game.h"
#include "engines/mcts/tree/tree_search.h"
#include "engines/usi/engine.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::mcts {

// The input of a search, beside its limits.
struct SearchTask {
  int multi_pv = 1;
  bool analysis = false;  // nobody waits for a move
  FinalMove final_move = FinalMove::visits;
  std::int64_t interval_ms = 300;  // least time between two reports
};

class SearchManager {
 public:
  using Report = std::function<void(const usi::Info&)>;

  SearchManager(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                const usi::SearchControl& control, const Report& report, const TreeSearch<ShogiGame>& search,
                Allowance& allowance);

  // Stops the search when its limits or its time are used up, or the best move is certain. Reports at intervals.
  void check();
  // Reports the final lines. The first one begins with the move to play.
  usi::SearchResult conclude();

 private:
  struct Leaders {
    std::int64_t best = 0, second = 0;  // visits
    bool best_has_best_value = true;
  };
  Leaders leaders() const;
  bool clock_says_enough(std::int64_t now_ms);
  bool decided(const Leaders& leaders, std::int64_t playouts_left) const;
  std::vector<std::uint16_t> order() const;
  std::vector<usi::Info> lines() const;
  void report_lines(const std::vector<usi::Info>& lines);

  const SearchTask& task_;
  const usi::GoLimits& limits_;
  const usi::TimePlan& plan_;
  const usi::SearchControl& control_;
  const Report& report_;
  const TreeSearch<ShogiGame>& search_;
  Allowance& allowance_;

  std::int64_t reported_ms_ = 0;
  std::int64_t checked_ms_ = 0, batch_ms_ = 0;  // the last check(); the longest time of a batch
  std::int64_t stop_at_ms_ = usi::kForever;     // decided
};

// Centipawns of a chance to win, by the curve that all our engines share.
int to_centipawns(double chance);
double to_chance(int centipawns);

}  // namespace fuhyo::mcts
