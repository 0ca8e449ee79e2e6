// Who can be compared with whom: players are comparable if each has, directly or by way of others, taken points from
// the other. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace fuhyo::match {

// taken[i][j]: i has won against j or drawn.
using Taken = std::vector<std::vector<bool>>;

// Everything that can be reached by steps of taken: reached[i][j], every player reaches itself.
Taken reach(Taken taken);

// The largest set of players that are comparable with one another; the one with the lowest player if several are as
// large. In ascending order.
std::vector<int> largest_comparable(const Taken& reached);

}  // namespace fuhyo::match
