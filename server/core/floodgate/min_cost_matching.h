// The cheapest way to put everybody into pairs: minimum-cost perfect matching of a complete graph, the optimum, by
// Edmonds' blossom algorithm in its O(n^3) form. (Boost 1.81's maximum_weighted_matching is not used: it does not end,
// or is wrong, on graphs that are not rare.) Private to this folder and to tournament/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fuhyo::core::floodgate {

// Costs are at most this, and at least 0.
inline constexpr std::int64_t kMostCost = std::int64_t{1} << 58;

// `cost` holds n rows of n, symmetric, what it says of pairs (i, i) is not read; n must be even. Returns the partner of
// each. The same costs give the same pairs.
std::vector<std::size_t> min_cost_matching(std::span<const std::int64_t> cost, std::size_t n);

// The same for costs that many figures were put into one of, so that each outweighs all after it.
using WideCost = __int128;
inline constexpr WideCost kMostWideCost = WideCost{1} << 122;
std::vector<std::size_t> min_wide_cost_matching(std::span<const WideCost> cost, std::size_t n);

}  // namespace fuhyo::core::floodgate
