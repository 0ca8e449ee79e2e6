// How many nodes get which of several moves. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engines/members/value.h"

namespace fuhyo::cluster {

// The softmax of the values, in their order; together 1. A pawn of difference makes a share e times smaller.
// `values`: of moves, for the side that makes them; not empty.
std::vector<double> softmax(std::span<const members::Value> values);

// So many whole nodes by these shares: what is left over after rounding down goes to the largest remainders.
std::vector<std::size_t> allot(std::span<const double> shares, std::size_t nodes);

// How many of these nodes split the tree: the fewer, the larger the share of the best move. One at least is left for
// the root.
std::size_t splitters(std::span<const double> shares, std::size_t nodes);

}  // namespace fuhyo::cluster
