// Finds the values of a network that are mostly 0. The first layer skips blocks of four zero inputs: with the mostly
// zero ones side by side, it skips more of them. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/nnue/net/network.h"

namespace fuhyo::nnue {

// The transformer's values (of an SFNN: the pairs of them that are multiplied) by how often they are not 0 in positions
// of a few games of random moves, always the same ones; the busiest first. `network` must be laid out already.
std::vector<std::uint32_t> order_by_activity(const Network& network);

}  // namespace fuhyo::nnue
