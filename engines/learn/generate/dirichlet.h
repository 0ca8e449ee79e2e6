// Noise for the roots of self-play. Pure; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "engines/match/tune/random.h"

namespace fuhyo::learn {

// A sample of so many numbers from the symmetric Dirichlet distribution with this alpha.
std::vector<float> dirichlet(std::size_t count, double alpha, match::tune::Random& random);

}  // namespace fuhyo::learn
