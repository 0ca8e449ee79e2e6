// The figures of standings.h. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "server/core/tournament/standings.h"

namespace fuhyo::core::tournament {

// By places in the ledger, for any tie-break but `direct`.
std::vector<Figure> figures_of(const Ledger& ledger, TieBreak tie_break);
// `direct` of these places among themselves, in their order; nothing if two of them have no decided game.
std::optional<std::vector<Figure>> direct_figures(const Ledger& ledger, std::span<const std::size_t> tied);
// The rounds in which members of a knock-out were beaten: 0 of who is still in it.
std::vector<int> beaten_in(const Ledger& ledger);

}  // namespace fuhyo::core::tournament
