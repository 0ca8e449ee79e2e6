// The likeliest distributions of results that a hypothesis allows. Pure; any thread.
// Sources: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
// distribution" (Proposition 1.1), and "Comments on normalized Elo" (section 4.1).
#pragma once

#include <vector>

#include "engines/match/statistics/sample.h"

namespace fuhyo::match {

// Shares in the order of the sample's cells. Every cell of the sample must have a share.
using Shares = std::vector<double>;

// Of all distributions with this mean (strictly between the lowest and the highest score) the one under which the
// sample is the likeliest.
Shares likeliest_with_mean(const Sample& sample, double mean);
// Likewise, with (mean - 1/2) / standard deviation as given.
Shares likeliest_with_distance(const Sample& sample, double distance);

}  // namespace fuhyo::match
