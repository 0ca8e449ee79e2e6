#include "engines/nnue/search/search_manager.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "engines/nnue/net/loading.h"
#include "engines/nnue/search/full_line.h"

namespace fuhyo::nnue {
namespace {

// Nodes of the first worker between two checks of the clock. They take well below a millisecond.
constexpr int kCheckInterval = 256;
// The first iteration is finished whatever the clock says, so that a move is chosen: it takes a few milliseconds. This
// bounds it where the hands are full of pieces.
constexpr std::int64_t kFirstIterationNodes = 50'000;
// Bounds are reported once a search has lasted so long. Before, they change too often to be read.
constexpr std::int64_t kReportBoundsAfterMs = 3'000;
constexpr auto kHelperPoll = std::chrono::microseconds(100);

}  // namespace

usi::Score to_usi_score(int value, usi::Score::Bound bound) {
  if (!is_mate(value)) return {.value = to_centipawns(value), .bound = bound};
  const auto kind = value > 0 ? usi::Score::Kind::win : usi::Score::Kind::lose;
  return {.kind = kind, .value = kMate - std::abs(value), .bound = bound};
}

SearchManager::SearchManager(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                             const usi::SearchControl& control, const Report& report, const TranspositionTable& table,
                             std::span<const std::unique_ptr<Worker>> workers)
    : task_(task),
      limits_(limits),
      plan_(plan),
      control_(control),
      report_(report),
      table_(table),
      workers_(workers),
      awaiting_hit_(control.pondering()) {}

std::int64_t SearchManager::nodes() const {
  std::int64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->nodes();
  return sum;
}

std::int64_t SearchManager::share() const {
  return limits_.nodes.value_or(usi::kForever) / static_cast<std::int64_t>(workers_.size());
}

int SearchManager::check_time(const Worker& worker) {
  const bool first = worker.depth() <= 1 && worker.nodes() < kFirstIterationNodes;
  if (first && task_.finish_first) return kCheckInterval;
  if (!first && is_told_to_stop()) return 0;
  std::int64_t left = share() - worker.nodes();
  if (left <= 0) {
    wait_for_helpers();
  } else if (!first && task_.sender != nullptr) {
    left = std::min(left, task_.sender->keep_step(worker.nodes(), [this] { return is_told_to_stop(); }));
  }
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kCheckInterval));
}

bool SearchManager::is_told_to_stop() {
  if (control_.stopped()) return true;
  if (!clock_runs()) return false;
  const std::int64_t elapsed = control_.clock_ms();
  decide_at_hit(elapsed);
  return elapsed >= std::min(stop_at_ms_, plan_.maximum_ms());
}

// Until they have made their shares: a thread that the system has kept waiting has not begun.
void SearchManager::wait_for_helpers() {
  const auto works = [](const auto& worker) { return !worker->waits(); };
  while (std::ranges::any_of(workers_.subspan(1), works) && !is_told_to_stop())
    std::this_thread::sleep_for(kHelperPoll);
}

void SearchManager::on_pv(const Worker& worker, int line) {
  const RootMove& root = worker.root()[static_cast<std::size_t>(line)];
  const bool slow = control_.elapsed_ms() >= kReportBoundsAfterMs;
  if (root.bound != usi::Score::Bound::exact && (!slow || !task_.report_bounds)) return;
  const bool last = line + 1 == lines_of(worker);
  if (last || slow) report_lines(worker, line + 1);
}

void SearchManager::conclude(const Worker& chosen) {
  if (chosen.root().front().move == reported_ && nodes() == reported_nodes_) return;
  report_lines(chosen, chosen.depth() == chosen.completed_depth() ? lines_of(chosen) : 1);
}

// How much of the planned time this search deserves: more when the choice has just changed or the value is falling,
// less when nearly all nodes went into one move.
bool SearchManager::stop_after_iteration(const Worker& worker) {
  if (task_.multi_pv > 1) keep_lines(worker);
  const RootMove& best = worker.root().front();
  stable_iterations_ = best.move == best_ ? stable_iterations_ + 1 : 0;
  best_ = best.move;
  const int fall = previous_value_ == kUnknown ? 0 : previous_value_ - best.value;
  previous_value_ = best.average;
  if (limits_.infinite || !plan_.limited() || limits_.movetime_ms) return false;
  const double falling = std::clamp(1.0 + fall / 400.0, 0.7, 1.6);
  const double unstable = 1.0 + 0.9 * worker.instability();
  const double stable = stable_iterations_ < 3 ? 1.0 : stable_iterations_ < 6 ? 0.85 : 0.7;
  const double share = static_cast<double>(best.nodes) / static_cast<double>(std::max<std::int64_t>(worker.nodes(), 1));
  const double effort = share > 0.9 ? 0.75 : 1.0;
  // With one move to choose from there is nothing to decide, unless somebody wants to see where it leads.
  const double only = worker.root().size() == 1 && !task_.full_pvs ? 0.1 : 1.0;
  enough_ms_ =
      static_cast<std::int64_t>(static_cast<double>(plan_.optimum_ms()) * falling * unstable * stable * effort * only);
  if (control_.pondering()) return false;
  // A mate that nothing can beat any more.
  if (is_mate(best.value) && worker.depth() > 2 * (kMate - std::abs(best.value))) return true;
  const std::int64_t elapsed = control_.clock_ms();
  if (stop_at_ms_ == usi::kForever && has_enough()) stop_at_ms_ = plan_.stop_at_ms(elapsed);
  return stop_at_ms_ <= elapsed;
}

// A new iteration takes about as long as all before it. What was thought while pondering counts.
bool SearchManager::has_enough() const { return control_.elapsed_ms() * 10 >= enough_ms_ * 6; }

// The opponent has just played what was expected: perhaps his time was enough for both.
void SearchManager::decide_at_hit(std::int64_t clock_ms) {
  if (!std::exchange(awaiting_hit_, false) || enough_ms_ == usi::kForever) return;
  if (has_enough()) stop_at_ms_ = plan_.stop_at_ms(clock_ms);
}

void SearchManager::keep_lines(const Worker& worker) {
  lines_.clear();
  for (int line = 0; line < lines_of(worker); ++line) {
    lines_.push_back(info_of(worker, line, worker.root()[static_cast<std::size_t>(line)].value, true));
  }
}

int SearchManager::lines_of(const Worker& worker) const {
  return std::min(task_.multi_pv, static_cast<int>(worker.root().size()));
}

void SearchManager::report_lines(const Worker& worker, int lines_found) {
  int value = kInfinite;
  for (int line = 0; line < lines_of(worker); ++line) {
    const RootMove& root = worker.root()[static_cast<std::size_t>(line)];
    const bool fresh = line < lines_found && root.value != -kInfinite;
    // One that this iteration has not found is worth what it was, but no more than those that it prefers.
    value = fresh ? root.value : std::min(root.value != -kInfinite ? root.value : root.previous, value);
    const usi::Info info = info_of(worker, line, value, fresh);
    if (!info.score) continue;  // not yet searched
    report_(info);
    reported_nodes_ = *info.nodes;
    if (line > 0) continue;
    reported_ = worker.root().front().move;
    reported_score_ = info.score;
    if (info.pv.size() > 1) answered_ = info.pv[0], answer_ = info.pv[1];
  }
}

usi::Info SearchManager::info_of(const Worker& worker, int line, int value, bool fresh) const {
  const RootMove& root = worker.root()[static_cast<std::size_t>(line)];
  usi::Info info;
  info.depth = fresh ? worker.depth() : std::max(worker.depth() - 1, 1);
  info.seldepth = std::max(root.seldepth, *info.depth);
  if (task_.multi_pv > 1) info.multipv = line + 1;
  info.time_ms = control_.elapsed_ms();
  info.nodes = nodes();
  info.nps = *info.nodes * 1000 / std::max<std::int64_t>(*info.time_ms, 1);
  info.hashfull = table_.hashfull_permille();
  if (value != -kInfinite) info.score = to_usi_score(value, fresh ? root.bound : usi::Score::Bound::exact);
  info.pv = root.pv;
  if (task_.full_pvs) {
    FullLine full = complete(task_.game, root.pv, table_);
    info.pv = std::move(full.moves);
    if (task_.report_repetition) info.pv_end = to_text(full.end);
  }
  return info;
}

}  // namespace fuhyo::nnue
