#include "engines/learn/generate/policy/options.h"

#include <algorithm>
#include <cmath>

#include "engines/learn/data/chance.h"

namespace fuhyo::learn {

double PolicyPlayOptions::temperature_at(std::size_t moves_made) const {
  const double halves = static_cast<double>(moves_made) / temperature_plies;
  return temperature_late + (temperature - temperature_late) * std::exp2(-halves);
}

std::int16_t PolicyPlayOptions::score_of(double chance) {
  const double score = kChanceScale * std::log(chance / (1 - chance));  // infinite for what is certain
  return static_cast<std::int16_t>(std::clamp<double>(std::round(score), -kWonScore, kWonScore));
}

int PolicyPlayOptions::resign_score() const { return -score_of(resign); }

}  // namespace fuhyo::learn
