// Long mates at the root, by a solver for mates. On the thread of the search.
#pragma once

#include <functional>
#include <optional>

#include "engines/mate/solver.h"
#include "engines/usi/engine.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::mcts {

using Report = std::function<void(const usi::Info&)>;

// Looks for a mate for a small share of the time or the playouts that the search may take, and plays it. Nothing if
// there is none in so many plies as the game may still last, or if its first move brings back a position of the game,
// where checking on could be perpetual check. Takes 16 MB when first asked; does without where there is no memory.
std::optional<usi::SearchResult> find_root_mate(mate::Solver& solver, const usi::Game& game, std::int64_t max_moves,
                                                const usi::GoLimits& limits, const usi::TimePlan& plan,
                                                const usi::SearchControl& control, const Report& report);

}  // namespace fuhyo::mcts
