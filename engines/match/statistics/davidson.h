// Davidson's extension of the Bradley-Terry model to draws: with strengths a and b in natural logarithms, the first
// mover's first-move advantage m and d = a - b + m, the first mover wins, loses and draws in the proportion
//   e^(d/2) : e^(-d/2) : nu.
// A player's expected points are its points at the maximum of the likelihood, and that maximum is the only one.
// Source: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments"
// (1970). Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/match/linear.h"

namespace fuhyo::match {

// Games in which one player moved first: Black, in shogi.
struct Meetings {
  int black = 0, white = 0;  // players, from 0
  std::int64_t black_wins = 0, draws = 0, white_wins = 0;

  std::int64_t games() const { return black_wins + draws + white_wins; }
};

struct DavidsonModel {
  std::vector<std::optional<double>> strengths;  // what is given is kept; if none is, their mean will be 0
  std::optional<double> first_move;              // nothing: estimated
};

struct DavidsonFit {
  std::vector<double> strengths;
  double first_move = 0;
  double nu = 0;  // 0 if no game was drawn
  // Of the strengths, the first-move advantage and ln(nu), in this order; 0 for what was given.
  Matrix covariance{0};
};

// The proportions as probabilities.
struct Chances {
  double win = 0, loss = 0, draw = 0;
};
Chances chances(double d, double nu);

// Players must be comparable (connected.h), those with given strengths with one another by that; not every game may be
// drawn. Where nobody lost a game to whom they beat, directly or around a circle, draws alone do not tell differences
// from a greater share of draws; then one decided game between equals is assumed. Fails if the games do not determine
// the first-move advantage: Black won them all, or one player won all those in which it was Black.
std::expected<DavidsonFit, std::string> fit_davidson(const DavidsonModel& model, std::span<const Meetings> games);

}  // namespace fuhyo::match
