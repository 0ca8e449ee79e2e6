// How strong the members of a division were in it, by their games over the board: ratings by core/rating's model. Pure.
#pragma once

#include <optional>
#include <vector>

#include "server/core/tournament/ledger.h"

namespace fuhyo::core::tournament {

struct Performance {
  double rate = 0;
  std::optional<double> error;  // 95 %: within +- this, relative to the mean of the field
};

// By places in the ledger; nothing for who has played no game. The mean of those whose rates are known is what their
// rates are in the mean; where nobody has one it is 1500. Draws are results of their own, and the first move is worth
// nothing: events are too small to find out.
std::vector<std::optional<Performance>> performances_of(const Ledger& ledger, const EventState& state);

}  // namespace fuhyo::core::tournament
