// Likelihoods of two hypotheses, compared.
#include "engines/match/statistics/sprt.h"

#include <cmath>
#include <fmt/core.h>

#include "engines/match/statistics/elo.h"
#include "engines/match/statistics/likelihood.h"
#include "engines/match/statistics/sample.h"

namespace fuhyo::match {
namespace {

// Farther out a tangent of the curve of equal distances may pass by all scores (likelihood.cpp).
double greatest_elo(EloScale scale) { return scale == EloScale::logistic ? 1000 : 200; }

Shares likeliest(const Sprt& test, const Sample& sample, double elo) {
  if (test.scale == EloScale::logistic) return likeliest_with_mean(sample, score_of_elo(elo));
  return likeliest_with_distance(sample, elo / kNormalisedElo * std::sqrt(sample.games_each));
}

double ratio(const Sprt& test, const Sample& sample) {
  const Shares h0 = likeliest(test, sample, test.elo0), h1 = likeliest(test, sample, test.elo1);
  double sum = 0;
  for (std::size_t c = 0; c < sample.cells.size(); ++c) {
    sum += sample.cells[c].share * (std::log(h1[c]) - std::log(h0[c]));
  }
  return sample.size * sum;
}

// Of a Brownian motion from 0: (1 - e^(-pull lower)) / (e^(-pull upper) - e^(-pull lower)), so that nothing overflows.
double chance_of_upper(double pull, double lower, double upper) {
  if (pull > 0) return std::expm1(pull * lower) / std::expm1(pull * (lower - upper));
  return std::exp(pull * upper) * std::expm1(-pull * lower) / std::expm1(pull * (upper - lower));
}

std::optional<Prospect> look_ahead(const Sprt& test, const Sample& sample, double elo) {
  const double sigma = sample.game_deviation();
  if (!(sigma > 0)) return std::nullopt;
  const auto score = [&](double e) {
    return test.scale == EloScale::logistic ? score_of_elo(e) : 0.5 + e / kNormalisedElo * sigma;
  };
  const double score0 = score(test.elo0), score1 = score(test.elo1);
  const double step = (score1 - score0) / sigma;  // standard deviation of what one game adds to the ratio
  const double lower = test.lower(), upper = test.upper();
  // Twice the drift of the ratio over its variance.
  const double pull = (2 * score_of_elo(elo) - score0 - score1) / (score1 - score0);
  if (std::abs(pull * (upper - lower)) < 1e-6) {
    return Prospect{.accepted = -lower / (upper - lower), .games = -lower * upper / (step * step)};
  }
  const double accepted = chance_of_upper(pull, lower, upper);
  const double time = 2 / pull * (upper * accepted + lower * (1 - accepted));
  return Prospect{.accepted = accepted, .games = time / (step * step)};
}

}  // namespace

std::string_view to_string(EloScale scale) { return scale == EloScale::logistic ? "logistic" : "normalised"; }

std::optional<EloScale> parse_elo_scale(std::string_view word) {
  if (word == "logistic") return EloScale::logistic;
  if (word == "normalised" || word == "normalized") return EloScale::normalised;
  return std::nullopt;
}

double Sprt::lower() const { return std::log(beta / (1 - alpha)); }
double Sprt::upper() const { return std::log((1 - beta) / alpha); }

std::optional<std::string> defect_of(const Sprt& test) {
  // Written so that what is no number is a defect.
  const double greatest = greatest_elo(test.scale);
  if (!(std::abs(test.elo0) <= greatest && std::abs(test.elo1) <= greatest)) {
    return fmt::format("elo0 and elo1 must be within {} of 0, and are {} and {}", greatest, test.elo0, test.elo1);
  }
  if (test.elo0 >= test.elo1) return fmt::format("elo0 must be below elo1, and is {} to {}", test.elo0, test.elo1);
  if (!(test.alpha > 0 && test.alpha < 1)) return fmt::format("alpha must be between 0 and 1, and is {}", test.alpha);
  if (!(test.beta > 0 && test.beta < 1)) return fmt::format("beta must be between 0 and 1, and is {}", test.beta);
  if (test.alpha + test.beta >= 1) {
    return fmt::format("alpha and beta together must be less than 1, and are {}", test.alpha + test.beta);
  }
  return std::nullopt;
}

double log_likelihood_ratio(const Sprt& test, const GameCounts& counts) { return ratio(test, regularised(counts)); }
double log_likelihood_ratio(const Sprt& test, const PairCounts& counts) { return ratio(test, regularised(counts)); }

std::string_view to_string(Verdict verdict) {
  if (verdict == Verdict::undecided) return "undecided";
  return verdict == Verdict::h0 ? "H0" : "H1";
}

Verdict verdict(const Sprt& test, double log_likelihood_ratio) {
  if (log_likelihood_ratio <= test.lower()) return Verdict::h0;
  return log_likelihood_ratio >= test.upper() ? Verdict::h1 : Verdict::undecided;
}

std::optional<Prospect> prospect(const Sprt& test, const GameCounts& so_far, double elo) {
  return look_ahead(test, sample_of(so_far), elo);
}
std::optional<Prospect> prospect(const Sprt& test, const PairCounts& so_far, double elo) {
  return look_ahead(test, sample_of(so_far), elo);
}

}  // namespace fuhyo::match
