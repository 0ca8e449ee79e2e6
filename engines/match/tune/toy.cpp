// The objective that needs no engine. Pure.
#include "engines/match/tune/toy.h"

#include <array>
#include <cmath>

#include "engines/match/tune/random.h"

namespace fuhyo::match::tune {
namespace {

constexpr std::size_t kCount = 8;
constexpr double kDraws = 0.1;

struct ToyParameter {
  const char* name;
  bool integer;
  double value, min, max, best;
};
// The best points are up to a third of a range away from the start, to either side.
constexpr std::array<ToyParameter, kCount> kParameters{{{"margin", true, 420, 0, 1'000, 560},
                                                        {"slope", true, 96, 20, 300, 70},
                                                        {"divisor", true, 6, 2, 16, 9},
                                                        {"delta", true, 14, 4, 100, 28},
                                                        {"reduction", false, 1.5, 0.5, 3, 1.9},
                                                        {"history", true, 8'000, -2'000, 20'000, 4'500},
                                                        {"offset", true, -50, -200, 200, 30},
                                                        {"weight", false, 0.3, 0, 1, 0.2}}};
// How much a parameter's distance from its best point costs, in proportion.
constexpr std::array<double, kCount> kCost{1, 0.6, 1.4, 0.8, 1.2, 0.5, 1, 0.7};
// Of neighbouring parameters: what one is worth depends on the other. The cost stays positive everywhere: for every
// parameter the sum of its interactions is below its own cost.
constexpr double kInteraction = 0.4;

// Distances from the best point in shares of the range, each with its own cost and its interaction with the next.
double cost(const Values& values) {
  std::array<double, kCount> distance{};
  for (std::size_t i = 0; i < kCount; ++i) {
    distance[i] = (values.at(i) - kParameters[i].best) / (kParameters[i].max - kParameters[i].min);
  }
  double sum = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    sum += kCost[i] * distance[i] * distance[i];
    if (i + 1 < kCount) sum += kInteraction * distance[i] * distance[i + 1];
  }
  return sum;
}

}  // namespace

Parameters toy_parameters() {
  Parameters parameters;
  for (const ToyParameter& each : kParameters) {
    parameters.push_back({.name = each.name,
                          .integer = each.integer,
                          .value = each.value,
                          .min = each.min,
                          .max = each.max,
                          .step = (each.max - each.min) / 20});
  }
  return parameters;
}

Values toy_optimum() {
  Values best;
  for (const ToyParameter& each : kParameters) best.push_back(each.best);
  return best;
}

double toy_elo(const Values& values) {
  static const double start = cost(values_of(toy_parameters()));
  return -kToyGain * cost(values) / start;
}

TrialResult play_toy(const Trial& trial, std::int64_t games, std::uint64_t seed) {
  Random chance(seed ^ 0x746f79, trial.id);
  const double expected = 1 / (1 + std::pow(10, (toy_elo(trial.minus) - toy_elo(trial.plus)) / 400));
  TrialResult result{.id = trial.id};
  for (std::int64_t game = 0; game < games; ++game) {
    if (chance.uniform() < kDraws) {
      ++result.draws;
    } else if (chance.uniform() < expected) {
      ++result.wins;
    } else {
      ++result.losses;
    }
  }
  return result;
}

}  // namespace fuhyo::match::tune
