// Intervals of the mean of a sample, carried over to the scales of Elo.
#include "engines/match/statistics/estimate.h"

#include <cmath>

#include "engines/match/statistics/elo.h"
#include "engines/match/statistics/sample.h"

namespace fuhyo::match {
namespace {

constexpr double kFewestForRuleOfThree = 6;

std::optional<double> finite_elo(std::optional<double> score) {
  if (!score || *score <= 0 || *score >= 1) return std::nullopt;
  return elo_of_score(*score);
}

// All observations are alike.
void measure_unvaried(Estimate& out, double score, double observations) {
  if (observations >= kFewestForRuleOfThree) {
    out.score.low = score * (1 - 3 / observations);
    out.score.high = score + (1 - score) * 3 / observations;
  }
  const double chance = std::pow(0.5, observations);
  out.superiority = score > 0.5 ? 1 - chance : score < 0.5 ? chance : 0.5;
  if (score == 0.5) out.normalised_elo.value = 0;
}

void measure_varied(Estimate& out, const Sample& sample, double score) {
  const double deviation = std::sqrt(sample.variance() / sample.size);
  const double game = sample.game_deviation();
  const auto normalised = [&](double s) { return (s - 0.5) / game * kNormalisedElo; };
  const double low = score - kZ95 * deviation, high = score + kZ95 * deviation;
  out.score.low = std::max(low, 0.0);
  out.score.high = std::min(high, 1.0);
  out.normalised_elo = {.value = normalised(score), .low = normalised(low), .high = normalised(high)};
  out.superiority = normal_cdf((score - 0.5) / deviation);
}

Estimate measure(const Sample& sample) {
  Estimate out;
  if (sample.size == 0) return out;
  const double score = sample.mean();
  out.score.value = score;
  // What is left of a variance that is 0 after shares were rounded.
  constexpr double kNone = 1e-14;
  if (sample.variance() > kNone) {
    measure_varied(out, sample, score);
  } else {
    const bool one_sided = score == 0 || score == 1;
    measure_unvaried(out, score, sample.size * (one_sided ? sample.games_each : 1));
  }
  out.elo = {.value = finite_elo(score), .low = finite_elo(out.score.low), .high = finite_elo(out.score.high)};
  return out;
}

}  // namespace

Estimate estimate(const GameCounts& counts) {
  Estimate out = measure(sample_of(counts));
  if (counts.games() > 0) out.draws = static_cast<double>(counts.draws) / static_cast<double>(counts.games());
  return out;
}

Estimate estimate(const PairCounts& counts) {
  Estimate out = measure(sample_of(counts));
  const auto& of = counts.of;
  if (counts.pairs() > 0) out.draws = static_cast<double>(of[2]) / static_cast<double>(counts.pairs());
  if (of[0] + of[1] > 0) out.pairs_ratio = static_cast<double>(of[3] + of[4]) / static_cast<double>(of[0] + of[1]);
  return out;
}

}  // namespace fuhyo::match
