// An objective that needs no engine: eight parameters, a surface of strength with a known best point, and games that
// are decided by chance as those of engines are. It shows what a way of tuning recovers, and how many games that takes.
// Pure; any thread.
#pragma once

#include <cstdint>

#include "engines/match/tune/parameters.h"
#include "engines/match/tune/tuner.h"

namespace fuhyo::match::tune {

// The parameters at their start: ranges of different widths, whole numbers and not.
Parameters toy_parameters();
// Where the surface is highest.
Values toy_optimum();
// Elo of a set of values: 0 at the best point, concave, and not a sum of what the parameters do one by one.
// kToyGain is lost at the start.
double toy_elo(const Values& values);
constexpr double kToyGain = 20;

// The games of a trial: drawn one time in ten, won otherwise by the odds of the difference in Elo. The same trial of
// the same seed always ends in the same way, in whatever order trials are played.
TrialResult play_toy(const Trial& trial, std::int64_t games, std::uint64_t seed);

}  // namespace fuhyo::match::tune
