// The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio, Kégl 2011) as hyperopt makes it: what has been
// tried is split into the best few and the rest, both become densities, and of some candidates drawn near the best ones
// the one is proposed that is likelier there than among the rest. Each parameter by itself. Pure; any thread.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engines/match/tune/parameters.h"
#include "engines/match/tune/random.h"

namespace fuhyo::match::tune {

struct TpeRules {
  std::size_t startup = 20;     // proposals by chance before the first one that looks at results
  double gamma = 0.25;          // the best ones are gamma times the square root of all of them, at most `forgetting`
  std::size_t candidates = 24;  // drawn a parameter
  std::size_t forgetting = 25;  // so many of the newest weigh alike, older ones less and less
  bool operator==(const TpeRules&) const = default;
};

// A mixture of normal densities on 0..1, cut off there: one at each point, as wide as the way to its farther neighbour,
// and one over everything (the prior).
class Parzen {
 public:
  // Points in the order of time.
  explicit Parzen(const std::vector<double>& points, std::size_t forgetting = 25);

  double draw(Random& chance) const;
  double density(double at) const;
  double mass(double from, double to) const;

  struct Normal {
    double weight, mean, deviation;
  };
  const std::vector<Normal>& parts() const { return parts_; }  // by mean

 private:
  std::vector<Normal> parts_;
  double inside_;  // of the whole density, before it was cut off
};

struct Tried {
  Values values;
  double score;  // the more the better
};

// The next set to try; parameters that are not used stay. `tried` in the order of time.
Values propose(const Parameters& parameters, const std::vector<Tried>& tried, const TpeRules& rules, Random& chance);

// Which ones are the best, by index in the order of time, and which are not.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> split_best(const std::vector<Tried>& tried,
                                                                         const TpeRules& rules);

}  // namespace fuhyo::match::tune
