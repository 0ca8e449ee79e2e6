// The search of an engine: all threads, the shared tables, and the move that the threads vote for. One search at a
// time; everything but take() is called from one thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engines/nnue/search/worker.h"
#include "engines/usi/engine.h"
#include "engines/usi/table_lines.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

class Searcher {
 public:
  using Report = std::function<void(const usi::Info&)>;

  // Allocates and touches all memory of the search, so that no search waits for it. Throws std::bad_alloc; then the
  // searcher has a table of 1 MB and one thread.
  void set_up(std::size_t table_megabytes, int threads, std::shared_ptr<const Network> network, const Kernels& kernels);
  std::size_t table_megabytes() const { return table_.megabytes(); }
  // Clears the table and the histories, if they have been used since the last time.
  void clear();
  // Writes entries of others into the table, as far as they may be there (exchanged_entries.h) and tell more than it
  // knows; returns how many may not. Any thread, also during a search; while the table is made or cleared all are
  // refused.
  std::size_t take(std::span<const usi::TableEntry> entries);

  // `task` must have root moves.
  usi::SearchResult run(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                        const usi::SearchControl& control, const Report& report);

 private:
  const Worker& best_worker() const;
  shogi::Move ponder_move(const SearchTask& task, const RootMove& best, shogi::Move expected) const;

  std::mutex table_changes_;        // held while the table is made or cleared
  std::atomic<bool> used_ = false;  // a search or an entry has come since clear()
  TranspositionTable table_;
  // One for all workers; in a tuning build with the technique off, one each.
  LargeArray<SharedHistory> shared_;
  std::shared_ptr<const Network> network_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace fuhyo::nnue
