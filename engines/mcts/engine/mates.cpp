#include "engines/mcts/engine/mates.h"

#include <new>

namespace fuhyo::mcts {
namespace {

constexpr std::size_t kRootMegabytes = 16;
// One part in so many of the time; and so many positions of the solver for each playout of the search, which costs
// about as much as that many of them.
constexpr std::int64_t kShare = 64, kNodesForPlayout = 10;
// Not worth looking with less.
constexpr std::int64_t kLeastNodes = 100, kLeastMs = 1;

}  // namespace

std::optional<usi::SearchResult> find_root_mate(mate::Solver& solver, const usi::Game& game, std::int64_t max_moves,
                                                const usi::GoLimits& limits, const usi::TimePlan& plan,
                                                const usi::SearchControl& control, const Report& report) {
  if (!limits.nodes && !plan.limited()) return std::nullopt;
  const std::int64_t most_nodes = limits.nodes ? *limits.nodes * kNodesForPlayout : usi::kForever;
  const std::int64_t most_ms = plan.limited() ? plan.for_mates_ms(kShare) : usi::kForever;
  if (most_nodes < kLeastNodes || most_ms < kLeastMs) return std::nullopt;
  try {
    if (solver.megabytes() == 0) solver.resize(kRootMegabytes);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  const mate::Answer answer = solver.solve(game.current(), false, [&](std::uint64_t nodes) {
    return control.stopped() || static_cast<std::int64_t>(nodes) >= most_nodes || control.elapsed_ms() >= most_ms;
  });
  if (answer.kind != mate::Answer::Kind::mate) return std::nullopt;
  const auto length = static_cast<std::int64_t>(answer.line.size());
  const bool in_time = max_moves <= 0 || game.current().ply() + length <= max_moves;
  if (!in_time || usi::brings_back(game, answer.line.front())) return std::nullopt;
  const usi::Score score{.kind = usi::Score::Kind::win, .value = static_cast<int>(length)};
  report({.depth = static_cast<int>(length),
          .time_ms = control.elapsed_ms(),
          .nodes = 0,
          .score = score,
          .pv = answer.line});
  usi::SearchResult result{.best = {.kind = usi::BestMove::Kind::move, .move = answer.line.front()}, .score = score};
  if (answer.line.size() > 1) result.best.ponder = answer.line[1];
  return result;
}

}  // namespace fuhyo::mcts
