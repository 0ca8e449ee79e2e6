// Strengths of players who are connected by their games, from nothing but who beat whom how often: the maximum
// likelihood of Bradley and Terry, P(a beats b) = 1 / (1 + e^(b - a)). In natural units (400 points are ln 10), with
// mean 0. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace fuhyo::core::rating {

// One point is so much in natural units.
constexpr double kPoint = std::numbers::ln10 / 400;

// All games between two players, numbered from 0 in their group. Draws are half a win each; games may be weighted.
struct Duel {
  std::uint32_t a = 0, b = 0;
  double a_wins = 0, b_wins = 0;
};

// The way of shogi-server's mk_rate, step by step: its start from the order of success, its damping and its restarts,
// its end at a step of a thousandth. Where the likelihood has a maximum this is that maximum, to a hundredth of a
// point. Where it has none (some players beat others and never lose to them, not even indirectly) it is where
// mk_rate's rounds happen to end.
std::vector<double> strengths_as_mk_rate(std::size_t players, std::span<const Duel> duels);

// The same maximum from a start nearby, such as former strengths, to the last digits. Falls back on the above where
// this does not lead to one.
std::vector<double> strengths_from(std::vector<double> start, std::span<const Duel> duels);

// How uncertain each strength is against the mean of all: one standard deviation, by the curvature of the likelihood.
// Empty where it has none to speak of (results that go one way), and above kMostPlayersWithErrors.
std::vector<double> strength_errors(std::span<const double> strengths, std::span<const Duel> duels);

// Above so many players errors are left out: they cost the third power.
constexpr std::size_t kMostPlayersWithErrors = 3000;

}  // namespace fuhyo::core::rating
