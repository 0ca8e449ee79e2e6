// The model of model.h as a function of its unknowns: how likely the results are, and how that changes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "server/core/rating/dense.h"
#include "server/core/rating/model.h"

namespace fuhyo::core::rating {

// All games of one player as Black against another one.
struct Cell {
  std::uint32_t black = 0, white = 0;
  double black_wins = 0, white_wins = 0, draws = 0;
  double games() const { return black_wins + white_wins + draws; }
};

// The unknowns are the players' strengths in natural units, then the first move, then ln nu.
class Davidson {
 public:
  Davidson(std::size_t players, std::vector<Cell> cells, const ModelRules& rules);

  std::size_t first_move() const { return players_; }
  std::size_t draw() const { return players_ + 1; }
  // Whether it is to be found at all; else it stays as it is.
  bool is_free(std::size_t unknown) const;

  // The unknowns that make the results most likely, sought from `x` on; curve_matrix() is of that place then.
  std::vector<double> most_likely(std::vector<double> x);
  // The upper half of the curvature of the log posterior, with its sign turned.
  SquareMatrix curve_matrix() const;

 private:
  struct Curve {  // of one cell
    double strength = 0, mixed = 0, draw = 0;
  };

  double difference(const Cell& cell, const std::vector<double>& x) const;
  double log_sum(double d, const std::vector<double>& x) const;
  double log_posterior(const std::vector<double>& x) const;
  std::vector<double> slope(const std::vector<double>& x);  // and sets the curves
  void curve(std::span<const double> x, std::span<double> y) const;
  std::vector<double> curve_diagonal() const;
  std::vector<double> step(const std::vector<double>& slope) const;

  std::size_t players_;
  std::vector<Cell> cells_;
  bool drawing_, first_move_free_;
  std::vector<double> precision_;  // of the prior
  std::vector<Curve> curves_;
};

}  // namespace fuhyo::core::rating
