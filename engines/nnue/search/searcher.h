// The search of an engine: all threads, the shared tables, and the move that the threads vote for. One search at a
// time; everything is called from one thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engines/nnue/search/worker.h"
#include "engines/usi/engine.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

class Searcher {
 public:
  using Report = std::function<void(const usi::Info&)>;

  // Allocates and touches all memory of the search, so that no search waits for it. Throws std::bad_alloc; then the
  // searcher has a table of 1 MB and one thread.
  void set_up(std::size_t table_megabytes, int threads, std::shared_ptr<const Network> network, const Kernels& kernels);
  std::size_t table_megabytes() const { return table_.megabytes(); }
  // Clears the table and the histories.
  void clear();

  // `task` must have root moves.
  usi::SearchResult run(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                        const usi::SearchControl& control, const Report& report);

 private:
  const Worker& best_worker() const;
  shogi::Move ponder_move(const SearchTask& task, const RootMove& best, shogi::Move expected) const;

  TranspositionTable table_;
  // One for all workers; in a tuning build with the technique off, one each.
  LargeArray<SharedHistory> shared_;
  std::shared_ptr<const Network> network_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace fuhyo::nnue
