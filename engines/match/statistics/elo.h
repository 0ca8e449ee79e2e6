// The scale of Elo: a difference in ratings as an expected score, and back; the normal distribution beside it.
// Pure; any thread.
#pragma once

#include <cmath>
#include <numbers>

namespace fuhyo::match {

// Expected score, 0 to 1, of who is `elo` stronger.
inline double score_of_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }
// `score` strictly between 0 and 1.
inline double elo_of_score(double score) { return -400 * std::log10(1 / score - 1); }

// Normalised Elo is the distance from an even score in standard deviations of one game, times this: near an even score
// and without draws it is Elo. Source: M. Van den Bergh, "Comments on normalized Elo".
inline const double kNormalisedElo = 800 / std::numbers::ln10;  // 347.4

// The probability that a standard normal variable is below x.
inline double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
// Of a normal variable, 95 % lies within so many standard deviations of its mean.
inline constexpr double kZ95 = 1.959963984540054;

}  // namespace fuhyo::match
