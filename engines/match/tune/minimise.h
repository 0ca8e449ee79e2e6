// The least value of a smooth function in a box: quasi-Newton steps (BFGS), projected onto the bounds. Pure.
#pragma once

#include <functional>
#include <vector>

namespace fuhyo::match::tune {

// Value at a point; writes the gradient. May return infinity where there is no value.
using Smooth = std::function<double(const std::vector<double>& at, std::vector<double>& gradient)>;

struct Box {
  std::vector<double> low, high;
};

struct Minimum {
  std::vector<double> at;
  double value;
};

// From a point within the box; ends when nothing improves any more or after so many steps. Never worse than the start.
Minimum minimise(const Smooth& function, std::vector<double> start, const Box& box, int steps);

}  // namespace fuhyo::match::tune
