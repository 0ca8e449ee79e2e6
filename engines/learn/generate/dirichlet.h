// Noise for the roots of self-play, whatever the game. Pure; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "engines/match/tune/random.h"

namespace fuhyo::learn {

// So many numbers that are never negative, together 1, drawn from Dirichlet's distribution with the same alpha for
// each.
std::vector<float> dirichlet(std::size_t count, double alpha, match::tune::Random& random);

}  // namespace fuhyo::learn
