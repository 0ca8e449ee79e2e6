// How long a sequential test takes and how often it is wrong, by simulation: tests over pairs of games whose results
// are drawn, each looked at after every pair, as a match does it.
//   bench_sprt_length [TESTS [ELO0 ELO1]]     (400 tests a line; normalised Elo, 0 and 10)
// For each truth, from ELO0 to ELO1, and for two kinds of pairs: of independent games without draws, and of pairs that
// are mostly divided, as deterministic engines at fixed nodes play them (the results that MATCH.md begins with).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/core.h>
#include <numbers>
#include <vector>

#include "engines/match/statistics/elo.h"
#include "engines/match/statistics/likelihood.h"
#include "engines/match/statistics/sprt.h"
#include "engines/match/tune/random.h"

namespace {

using namespace fuhyo::match;

// Pairs like those counted, but with that difference in normalised Elo between the players.
Shares pairs_like(const PairCounts& counted, double elo) {
  return likeliest_with_distance(regularised(counted), elo / kNormalisedElo * std::numbers::sqrt2);
}

int draw(const Shares& shares, tune::Random& random) {
  double left = random.uniform();
  for (int cell = 0; cell < 4; ++cell) {
    left -= shares[static_cast<std::size_t>(cell)];
    if (left < 0) return cell;
  }
  return 4;
}

struct Course {
  Verdict verdict = Verdict::undecided;
  double games = 0;
};

Course simulate(const Sprt& test, const Shares& shares, std::uint64_t number) {
  tune::Random random(1, number);
  PairCounts pairs;
  for (;;) {
    pairs.add(draw(shares, random));
    const Verdict reached = verdict(test, log_likelihood_ratio(test, pairs));
    if (reached != Verdict::undecided) return {reached, 2 * static_cast<double>(pairs.pairs())};
  }
}

void report(const char* what, const PairCounts& kind, const Sprt& test, double elo, int tests) {
  const Shares shares = pairs_like(kind, elo);
  std::vector<double> games;
  double sum = 0, accepted = 0;
  for (int i = 0; i < tests; ++i) {
    const Course course = simulate(test, shares, static_cast<std::uint64_t>(i));
    games.push_back(course.games);
    sum += course.games;
    accepted += course.verdict == Verdict::h1 ? 1 : 0;
  }
  std::ranges::sort(games);
  const double mean = sum / tests, share = accepted / tests;
  double variance = 0;
  for (const double g : games) variance += (g - mean) * (g - mean) / tests;
  fmt::print(
      "{:<12} truth {:>5.1f}: H1 accepted {:5.1f} % +- {:.1f}; games: mean {:6.0f} +- {:.0f}, half below {:6.0f}, "
      "95 % below {:6.0f}\n",
      what, elo, 100 * share, 196 * std::sqrt(share * (1 - share) / tests), mean, 1.96 * std::sqrt(variance / tests),
      games[games.size() / 2], games[games.size() * 95 / 100]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int tests = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 400;
  const Sprt test{.elo0 = argc > 3 ? std::atof(argv[2]) : 0, .elo1 = argc > 3 ? std::atof(argv[3]) : 10};
  if (const auto defect = defect_of(test)) {
    fmt::print(stderr, "{}\n", *defect);
    return 2;
  }
  for (const double part : {0.0, 0.5, 1.0}) {
    const double elo = test.elo0 + part * (test.elo1 - test.elo0);
    report("independent", PairCounts{{250, 0, 500, 0, 250}}, test, elo, tests);
    report("divided", PairCounts{{40, 0, 510, 10, 40}}, test, elo, tests);
  }
}
