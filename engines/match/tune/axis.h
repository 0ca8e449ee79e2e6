// Maps a parameter to a number from 0 to 1, by its value or by its logarithm, for methods that ignore its range. Whole
// numbers are bins of equal width, the outermost ones included. Pure; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/match/tune/parameters.h"

namespace fuhyo::match::tune {

class Axis {
 public:
  explicit Axis(const Parameter& parameter)
      : parameter_(parameter),
        low_(scaled(parameter.integer ? std::ceil(parameter.min) - 0.5 : parameter.min)),
        high_(scaled(parameter.integer ? std::floor(parameter.max) + 0.5 : parameter.max)) {}

  double unit(double value) const {
    return high_ > low_ ? std::clamp((scaled(value) - low_) / (high_ - low_), 0.0, 1.0) : 0.5;
  }
  // A value that can be played: whole where the parameter is.
  double value(double unit) const {
    const double at = low_ + unit * (high_ - low_);
    return rounded(parameter_, parameter_.log ? std::exp(at) : at);
  }
  // The units that become this whole number.
  std::pair<double, double> bin(double value) const { return {unit(value - 0.5), unit(value + 0.5)}; }
  bool whole() const { return parameter_.integer; }

 private:
  double scaled(double value) const { return parameter_.log ? std::log(value) : value; }

  Parameter parameter_;
  double low_, high_;
};

}  // namespace fuhyo::match::tune
