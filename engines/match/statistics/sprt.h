// The sequential probability ratio test: plays no longer than is needed to know whether a difference is elo0 (H0) or
// elo1 (H1). It is fishtest's generalised test: the likelihoods are those of the likeliest distributions of results
// that have the one or the other difference, so draws and openings need no model. STATISTICS.md has the formulas.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engines/match/statistics/counts.h"

namespace fuhyo::match {

enum class EloScale : std::uint8_t { logistic, normalised };
std::string_view to_string(EloScale scale);
std::optional<EloScale> parse_elo_scale(std::string_view word);  // "logistic", "normalised" ("normalized")

struct Sprt {
  double elo0 = 0, elo1 = 10;        // on the scale
  double alpha = 0.05, beta = 0.05;  // chances to accept H1 at elo0, and H0 at elo1
  EloScale scale = EloScale::normalised;
  bool operator==(const Sprt&) const = default;

  // Wald's bounds of the log likelihood ratio: ln(beta / (1 - alpha)), ln((1 - beta) / alpha).
  double lower() const;
  double upper() const;
};
// What is wrong with the settings, or nothing: elo0 must be below elo1, both within 1000 (logistic) or 200
// (normalised); alpha and beta between 0 and
// 1, together less than 1.
std::optional<std::string> defect_of(const Sprt& test);

// The log likelihood ratio of H1 to H0. Empty cells count 0.001. Settings without defect.
double log_likelihood_ratio(const Sprt& test, const GameCounts& counts);
double log_likelihood_ratio(const Sprt& test, const PairCounts& counts);

enum class Verdict : std::uint8_t { undecided, h0, h1 };
std::string_view to_string(Verdict verdict);  // "undecided", "H0", "H1"
Verdict verdict(const Sprt& test, double log_likelihood_ratio);

// What is to be expected if the truth is `elo` (logistic) and games vary as they did so far: the probability that H1
// will be accepted, and the games of the whole test on average. By Wald's approximation: a Brownian motion between the
// bounds. Nothing if the results so far do not vary.
struct Prospect {
  double accepted = 0;  // 0 to 1
  double games = 0;
};
std::optional<Prospect> prospect(const Sprt& test, const GameCounts& so_far, double elo);
std::optional<Prospect> prospect(const Sprt& test, const PairCounts& so_far, double elo);

}  // namespace fuhyo::match
