// Rounds of a Swiss with the rounds to come in mind: of the ways to pair a round in which nobody meets again, the
// cheapest of those that leave the most such rounds. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "server/core/floodgate/min_cost_matching.h"

namespace fuhyo::core::tournament {

using Partners = std::vector<std::size_t>;  // the partner of each place

struct PairingProblem {
  std::size_t places = 0;                 // even
  std::vector<floodgate::WideCost> cost;  // `places` rows of `places`, symmetric; of a rematch above all others
  std::vector<std::vector<bool>> may;     // who has not met whom: symmetric, false on the diagonal
  bool bye = false;                       // the last place is that of no opponent: may[] says who has had no bye
};

// The cheapest pairing, if somebody meets again in it or no more than this round is left. Else the cheapest after which
// `ahead` rounds without a rematch can follow, or as many of them as possible; of a field of odd number without a
// second bye in them, if that can be.
//
// Exact for small fields, where it matters: a round after which each may still meet half of the others as often as
// rounds are left always does (Dirac). Beyond that the search ends after a fixed number of steps, and then takes fewer
// rounds ahead for the best it can have. The same problem gives the same pairing.
Partners pair_for_rounds_ahead(const PairingProblem& problem, int ahead);

// Whether so many rounds without a rematch can be paired; nothing: the search ended before it knew.
std::optional<bool> can_pair(const PairingProblem& problem, int rounds);

}  // namespace fuhyo::core::tournament
