#include "engines/mcts/engine/search_manager.h"

#include <algorithm>
#include <cmath>

#include "engines/mcts/tree/puct.h"

namespace fuhyo::mcts {
namespace {

constexpr double kCentipawns = 600 / 0.9;  // of the logistic curve (usi/values.h)
constexpr int kMostCentipawns = 9'999;
// The search goes on for up to so many times what was planned while two moves are close.
constexpr double kLongest = 2, kClose = 1.5;
// No search stops early before this part of its time.
constexpr std::int64_t kEarliest = 10;
// The least time between two reports of an analysis, in ms.
constexpr std::int64_t kLeastInterval = 100;

usi::Score score_of(const RootMove& root_move) {
  using Kind = usi::Score::Kind;
  if (root_move.result == Result::win) return {.kind = Kind::win, .value = root_move.distance};
  if (root_move.result == Result::loss) return {.kind = Kind::lose, .value = root_move.distance};
  return {.value = to_centipawns(root_move.value)};
}

}  // namespace

int to_centipawns(double chance) {
  const double within = std::clamp(chance, 1e-7, 1 - 1e-7);
  return std::clamp(static_cast<int>(std::lround(kCentipawns * std::log(within / (1 - within)))), -kMostCentipawns,
                    kMostCentipawns);
}

double to_chance(int centipawns) { return 1 / (1 + std::exp(-centipawns / kCentipawns)); }

SearchManager::SearchManager(const SearchTask& task, const usi::GoLimits& limits, const usi::TimePlan& plan,
                             const usi::SearchControl& control, const Report& report,
                             const TreeSearch<ShogiGame>& search, Allowance& allowance)
    : task_(task),
      limits_(limits),
      plan_(plan),
      control_(control),
      report_(report),
      search_(search),
      allowance_(allowance),
      checked_ms_(control.elapsed_ms()) {}

void SearchManager::check() {
  const std::int64_t now = control_.elapsed_ms();
  batch_ms_ = std::max(batch_ms_ * 7 / 8, now - checked_ms_);
  checked_ms_ = now;
  if (control_.stopped()) allowance_.stopped = true;
  if (plan_.limited() && !control_.pondering() && clock_says_enough(control_.clock_ms())) allowance_.stopped = true;
  const bool may_stop_early = !task_.analysis && task_.multi_pv == 1 && !search_.halving() && !control_.pondering();
  if (limits_.nodes && may_stop_early && decided(leaders(), allowance_.playouts)) allowance_.stopped = true;
  if (now - reported_ms_ < std::max(task_.interval_ms, kLeastInterval)) return;
  reported_ms_ = now;
  const auto found = lines();
  report_lines(found);
  if (limits_.depth && !found.empty() && found.front().depth >= *limits_.depth) allowance_.stopped = true;
}

bool SearchManager::decided(const Leaders& leaders, std::int64_t playouts_left) const {
  return task_.final_move == FinalMove::visits && leaders.best - leaders.second > playouts_left;
}

// What was thought while pondering counts for the moves, but not for the clock.
bool SearchManager::clock_says_enough(std::int64_t clock_ms) {
  // A batch that is begun is waited for.
  if (clock_ms + batch_ms_ >= plan_.maximum_ms()) return true;
  if (limits_.movetime_ms) return false;
  if (stop_at_ms_ != usi::kForever) return clock_ms + batch_ms_ >= stop_at_ms_;
  const std::int64_t optimum = plan_.optimum_ms();
  if (clock_ms * kEarliest < optimum && search_.counts().playouts > 0) return false;
  const Leaders found = leaders();
  const bool open =
      static_cast<double>(found.best) < kClose * static_cast<double>(found.second) || !found.best_has_best_value;
  const auto end =
      std::min(static_cast<std::int64_t>(static_cast<double>(optimum) * (open ? kLongest : 1)), plan_.maximum_ms());
  const std::int64_t elapsed = std::max<std::int64_t>(control_.elapsed_ms(), 1);
  const std::int64_t to_come = search_.counts().playouts * std::max<std::int64_t>(end - clock_ms, 0) / elapsed;
  const bool only_one = std::ranges::count(search_.allowed(), 1) == 1;
  if (clock_ms >= end || only_one || decided(found, to_come)) stop_at_ms_ = plan_.stop_at_ms(clock_ms);
  return clock_ms + batch_ms_ >= stop_at_ms_;
}

SearchManager::Leaders SearchManager::leaders() const {
  const Tree& tree = search_.tree();
  const Node& root = tree[tree.root()];
  const auto children = tree.children(root);
  Leaders found;
  double best_value = 0, highest = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (search_.allowed()[i] == 0 || children[i].known() == Result::loss) continue;
    const std::int64_t visits = children[i].visits;
    const double value = value_of(children[i], search_.parameters(), root.ply).value_or(0);
    highest = std::max(highest, value);
    if (visits > found.best) {
      found.second = std::exchange(found.best, visits);
      best_value = value;
    } else {
      found.second = std::max(found.second, visits);
    }
  }
  found.best_has_best_value = best_value >= highest;
  return found;
}

std::vector<std::uint16_t> SearchManager::order() const {
  const Tree& tree = search_.tree();
  auto edges = ranking(tree, tree[tree.root()], search_.parameters(), task_.final_move, search_.allowed());
  if (!search_.halving()) return edges;
  // Where moves were halved, what is left is the best; unless something is proven.
  const auto children = tree.children(tree[tree.root()]);
  if (edges.empty() || children[edges.front()].known() == Result::win) return edges;
  std::vector<std::uint16_t> halved = search_.halving()->ranking(tree);
  const auto is_lost = [&](std::uint16_t edge) { return children[edge].known() == Result::loss; };
  std::erase_if(halved, is_lost);
  std::erase_if(edges, [&](std::uint16_t edge) { return std::ranges::count(halved, edge) > 0; });
  edges.insert(edges.begin(), halved.begin(), halved.end());
  return edges;
}

std::vector<usi::Info> SearchManager::lines() const {
  const Tree& tree = search_.tree();
  std::vector<usi::Info> lines;
  for (const std::uint16_t edge : order()) {
    if (static_cast<int>(lines.size()) == task_.multi_pv) break;
    const Child& child = tree.children(tree[tree.root()])[edge];
    if (!lines.empty() && child.visits == 0 && child.known() == Result::unknown) break;
    const RootMove root_move = root_move_of(tree, search_.parameters(), edge);
    usi::Info info{.depth = static_cast<int>(root_move.pv.size()),
                   .seldepth = std::max(search_.counts().deepest, static_cast<int>(root_move.pv.size())),
                   .hashfull = static_cast<int>(tree.used() * 1'000 / tree.capacity()),
                   .time_ms = control_.elapsed_ms(),
                   .nodes = search_.counts().playouts,
                   .score = score_of(root_move)};
    if (task_.multi_pv > 1) info.multipv = static_cast<int>(lines.size()) + 1;
    info.nps = *info.nodes * 1'000 / std::max<std::int64_t>(*info.time_ms, 1);
    for (const MoveCode move : root_move.pv) info.pv.push_back(shogi::Move::from_bits(move));
    lines.push_back(std::move(info));
  }
  return lines;
}

void SearchManager::report_lines(const std::vector<usi::Info>& lines) {
  for (const usi::Info& info : lines) report_(info);
}

usi::SearchResult SearchManager::conclude() {
  auto found = lines();
  report_lines(found);
  usi::SearchResult result{.nodes = search_.counts().playouts, .trace = search_.counts().plies};
  if (found.empty()) return result;
  const auto& pv = found.front().pv;
  result.best = {.kind = usi::BestMove::Kind::move, .move = pv.front()};
  if (pv.size() > 1) result.best.ponder = pv[1];
  result.score = found.front().score;
  if (task_.multi_pv > 1) result.lines = std::move(found);
  return result;
}

}  // namespace fuhyo::mcts
