#include "engines/nnue/search/searcher.h"

#include <new>
#include <thread>

#include "engines/nnue/search/exchanged_entries.h"
#include "engines/nnue/search/search_manager.h"
#include "engines/usi/ballot.h"

namespace fuhyo::nnue {

void Searcher::set_up(std::size_t table_megabytes, int threads, std::shared_ptr<const Network> network,
                      const Kernels& kernels) {
  const std::lock_guard lock(table_changes_);
  const auto make_workers = [&](int count) {
    workers_.clear();
    const auto size = static_cast<std::size_t>(count);
    shared_ = LargeArray<SharedHistory>(use::shared_history ? 1 : size);
    for (std::size_t i = 0; i < shared_.size(); ++i) shared_[i].clear();
    for (std::size_t i = 0; i < size; ++i) {
      workers_.push_back(std::make_unique<Worker>(table_, shared_[i % shared_.size()], network, kernels));
    }
  };
  try {
    const bool resized = table_megabytes != table_.megabytes();
    if (resized) table_.resize(table_megabytes);
    if (network != network_ || static_cast<std::size_t>(threads) != workers_.size()) make_workers(threads);
    network_ = network;
    if (resized) table_.clear(threads);
  } catch (const std::bad_alloc&) {
    network_ = network;
    table_.resize(1);
    make_workers(1);
    throw;
  }
}

void Searcher::clear() {
  const std::lock_guard lock(table_changes_);
  if (!used_.exchange(false)) return;
  if (table_.megabytes() != 0) table_.clear(static_cast<int>(workers_.size()));
  for (std::size_t i = 0; i < shared_.size(); ++i) shared_[i].clear();
  for (const auto& worker : workers_) worker->clear();
}

std::size_t Searcher::take(std::span<const usi::TableEntry> entries) {
  const std::unique_lock lock(table_changes_, std::try_to_lock);
  if (!lock || table_.megabytes() == 0) return entries.size();
  used_ = true;
  std::size_t refused = 0;
  for (const usi::TableEntry& told : entries) {
    const auto entry = from_exchange(told);
    if (!entry) {
      ++refused;
    } else if (tells_more(*entry, table_.probe(told.key))) {
      table_.store(told.key, *entry);
    }
  }
  return refused;
}

usi::SearchResult Searcher::run(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                                const usi::SearchControl& control, const Report& report) {
  used_ = true;
  table_.new_search();
  std::atomic<bool> stop = false;
  SearchManager manager(task, limits, plan, control, report, table_, workers_);
  {
    for (const auto& worker : workers_) worker->get_ready();
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      helpers.emplace_back([&, worker = workers_[i].get()] { worker->help(task, stop, manager.share()); });
    }
    workers_.front()->lead(task, stop, manager);
    stop = true;
    stop.notify_all();
  }
  const Worker& chosen = best_worker();
  const RootMove& best = chosen.root().front();
  manager.conclude(chosen);
  usi::SearchResult result{.best = {.kind = usi::BestMove::Kind::move, .move = best.move}, .nodes = manager.nodes()};
  result.best.ponder = ponder_move(task, best, manager.expected_after(best.move));
  result.score = manager.score();
  result.lines = manager.take_lines();
  return result;
}

const Worker& Searcher::best_worker() const {
  std::vector<usi::Ballot> ballots;
  for (const auto& worker : workers_) {
    const RootMove& best = worker->root().front();
    ballots.push_back({.move = best.move,
                       .value = best.value,
                       .depth = worker->completed_depth(),
                       .win = is_win(best.value),
                       .exact = best.bound == usi::Score::Bound::exact});
  }
  return *workers_[usi::elect(ballots)];
}

// What the line says; if it is cut short, what the table knows, or what an earlier iteration expected.
shogi::Move Searcher::ponder_move(const SearchTask& task, const RootMove& best, shogi::Move expected) const {
  if (best.pv.size() > 1) return best.pv[1];
  shogi::Position position = task.game.current();
  position.do_move(best.move);
  const auto known = table_.probe(position.key());
  for (const shogi::Move move : {known ? known->move : shogi::Move{}, expected}) {
    if (move && position.is_legal(move)) return move;
  }
  return {};
}

}  // namespace fuhyo::nnue
