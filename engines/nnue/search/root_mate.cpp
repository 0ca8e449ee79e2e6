#include "engines/nnue/search/root_mate.h"

#include <algorithm>
#include <new>

#include "engines/nnue/search/parameters.h"

namespace fuhyo::nnue {
namespace {

constexpr std::size_t kMegabytes = 16;
// Not worth looking with less.
constexpr std::int64_t kLeastNodes = 100, kLeastMs = 1;

}  // namespace

std::optional<usi::SearchResult> find_root_mate(mate::Solver& solver, const SearchTask& task, usi::GoLimits& limits,
                                                const usi::TimePlan& plan, const usi::SearchControl& control,
                                                const std::function<void(const usi::Info&)>& report) {
  if (!use::mate_at_root || limits.infinite || control.pondering() || task.multi_pv > 1 ||
      !limits.searchmoves.empty() || (!limits.nodes && !plan.limited())) {
    return std::nullopt;
  }
  const std::int64_t most_nodes = limits.nodes ? *limits.nodes / parameter::mate_at_root_share : usi::kForever;
  const std::int64_t most_ms = plan.limited() ? plan.for_mates_ms(parameter::mate_at_root_share) : usi::kForever;
  if (most_nodes < kLeastNodes || most_ms < kLeastMs) return std::nullopt;
  try {
    if (solver.megabytes() == 0) solver.resize(kMegabytes);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  const auto enough = [&](std::uint64_t nodes) {
    return control.stopped() || static_cast<std::int64_t>(nodes) >= most_nodes || control.elapsed_ms() >= most_ms;
  };
  const mate::Answer answer = solver.solve(task.game.current(), false, enough);
  const auto nodes = static_cast<std::int64_t>(answer.nodes);
  if (limits.nodes) limits.nodes = std::max<std::int64_t>(*limits.nodes - nodes, 1);
  const auto length = static_cast<std::int64_t>(answer.line.size());
  const bool in_time = task.max_moves <= 0 || task.game.current().ply() + length <= task.max_moves;
  if (answer.kind != mate::Answer::Kind::mate || !in_time || usi::brings_back(task.game, answer.line.front()))
    return std::nullopt;
  const usi::Score score{.kind = usi::Score::Kind::win, .value = static_cast<int>(length)};
  report({.depth = static_cast<int>(length),
          .time_ms = control.elapsed_ms(),
          .nodes = nodes,
          .score = score,
          .pv = answer.line});
  usi::SearchResult result{
      .best = {.kind = usi::BestMove::Kind::move, .move = answer.line.front()}, .nodes = nodes, .score = score};
  if (answer.line.size() > 1) result.best.ponder = answer.line[1];
  return result;
}

}  // namespace fuhyo::nnue
