// Plots of a tuning: an SVG with a panel for each parameter. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/match/tune/parameters.h"

namespace fuhyo::match::tune {

struct TracePoint {
  std::int64_t games;
  Values values;
};

// Value against games: the part of the range that was walked and two steps around it, the bounds in the title, the
// value of the beginning as a dashed line.
std::string plot_trace(const Parameters& parameters, const std::vector<TracePoint>& trace);

// What is known of the score against one parameter, the others as chosen.
struct Slice {
  struct Sample {
    double value, score, error;  // one standard deviation
  };
  struct Curve {
    double value, mean, deviation;
  };
  std::vector<Sample> samples;
  std::vector<Curve> curve;
  double chosen;
};

// Score against value: the samples with their errors, the model's mean and twice its deviation to both sides, the value
// of the beginning dashed and the chosen one. A slice a parameter.
std::string plot_slices(const Parameters& parameters, const std::vector<Slice>& slices);

}  // namespace fuhyo::match::tune
