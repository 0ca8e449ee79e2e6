// A long forced mate at the root, which a solver for mates finds in milliseconds and the search perhaps never.
// On the thread of the search.
#pragma once

#include <functional>
#include <optional>

#include "engines/mate/solver.h"
#include "engines/nnue/search/worker.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

// Looks for a mate for a small share of the time (TimePlan::for_mates_ms()) or the nodes that the search may take
// (parameters.h), and plays it.
// Nothing if there is none, if it would not be played at once (pondering, analysis, several lines, chosen moves), or if
// its first move brings back a position of the game, where checking on could be perpetual check. What it has spent is
// taken off `limits`. Takes 16 MB when first asked; does without where there is no memory.
std::optional<usi::SearchResult> find_root_mate(mate::Solver& solver, const SearchTask& task, usi::GoLimits& limits,
                                                const usi::TimePlan& plan, const usi::SearchControl& control,
                                                const std::function<void(const usi::Info&)>& report);

}  // namespace fuhyo::nnue
