#include "server/core/rating/davidson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/core/rating/conjugate_gradient.h"
#include "server/core/rating/duels.h"

namespace fuhyo::core::rating {
namespace {

using Vector = std::vector<double>;

constexpr double kFirstMovePrior_points = 2000;
constexpr double kDrawPrior = 5;  // standard deviation of ln nu
constexpr double kTinyStep = 1e-9;
constexpr int kMostRounds = 200;
constexpr int kMostHalvings = 27;  // of a step

double square(double x) { return x * x; }

}  // namespace

Davidson::Davidson(std::size_t players, std::vector<Cell> cells, const ModelRules& rules)
    : players_(players),
      cells_(std::move(cells)),
      drawing_(rules.draws == Draws::davidson),
      first_move_free_(!rules.first_move),
      precision_(players + 2, 1 / square(rules.prior_points * kPoint)) {
  precision_[first_move()] = 1 / square(kFirstMovePrior_points * kPoint);
  precision_[draw()] = 1 / square(kDrawPrior);
  if (drawing_) return;
  for (Cell& cell : cells_) {
    cell.black_wins += cell.draws / 2;
    cell.white_wins += std::exchange(cell.draws, 0) / 2;
  }
}

bool Davidson::is_free(std::size_t unknown) const {
  if (unknown == first_move()) return first_move_free_;
  return unknown != draw() || drawing_;
}

double Davidson::difference(const Cell& cell, const Vector& x) const {
  return x[cell.black] - x[cell.white] + x[first_move()];
}

// ln(e^(d/2) + e^(-d/2) + nu)
double Davidson::log_sum(double d, const Vector& x) const {
  const double top = std::max(std::abs(d) / 2, drawing_ ? x[draw()] : 0.0);
  const double drawn = drawing_ ? std::exp(x[draw()] - top) : 0;
  return top + std::log(std::exp(d / 2 - top) + std::exp(-d / 2 - top) + drawn);
}

// But for a constant.
double Davidson::log_posterior(const Vector& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_free(i)) sum -= precision_[i] * x[i] * x[i] / 2;
  }
  for (const Cell& cell : cells_) {
    const double d = difference(cell, x);
    sum += (cell.black_wins - cell.white_wins) * d / 2 - cell.games() * log_sum(d, x);
    if (drawing_) sum += cell.draws * x[draw()];
  }
  return sum;
}

Vector Davidson::slope(const Vector& x) {
  Vector g(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) g[i] = -precision_[i] * x[i];
  curves_.clear();
  for (const Cell& cell : cells_) {
    const double d = difference(cell, x), n = cell.games(), log_z = log_sum(d, x);
    const double black = std::exp(d / 2 - log_z), white = std::exp(-d / 2 - log_z);
    const double drawn = drawing_ ? std::exp(x[draw()] - log_z) : 0;
    const double surplus = cell.black_wins + cell.draws / 2 - n * (black + drawn / 2);
    g[cell.black] += surplus;
    g[cell.white] -= surplus;
    g[first_move()] += surplus;
    g[draw()] += cell.draws - n * drawn;
    curves_.push_back({.strength = n * (black + white - square(black - white)) / 4,
                       .mixed = n * drawn * (white - black) / 2,
                       .draw = n * drawn * (1 - drawn)});
  }
  for (std::size_t i = players_; i < x.size(); ++i) {
    if (!is_free(i)) g[i] = 0;
  }
  return g;
}

void Davidson::curve(std::span<const double> x, std::span<double> y) const {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = precision_[i] * x[i];
  const double a = first_move_free_ ? x[first_move()] : 0, v = drawing_ ? x[draw()] : 0;
  double by_first_move = 0, by_draw = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const double u = x[cells_[i].black] - x[cells_[i].white] + a;
    const double pull = curves_[i].strength * u + curves_[i].mixed * v;
    y[cells_[i].black] += pull;
    y[cells_[i].white] -= pull;
    by_first_move += pull;
    by_draw += curves_[i].mixed * u + curves_[i].draw * v;
  }
  if (first_move_free_) y[first_move()] += by_first_move;
  if (drawing_) y[draw()] += by_draw;
}

Vector Davidson::curve_diagonal() const {
  Vector diagonal = precision_;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    diagonal[cells_[i].black] += curves_[i].strength;
    diagonal[cells_[i].white] += curves_[i].strength;
    if (first_move_free_) diagonal[first_move()] += curves_[i].strength;
    if (drawing_) diagonal[draw()] += curves_[i].draw;
  }
  return diagonal;
}

SquareMatrix Davidson::curve_matrix() const {
  SquareMatrix h(players_ + 2);
  const auto add = [&h](std::size_t i, std::size_t j, double value) { h.at(std::min(i, j), std::max(i, j)) += value; };
  for (std::size_t i = 0; i < h.size(); ++i) h.at(i, i) = precision_[i];
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const auto [strength, mixed, drawn] = curves_[i];
    const std::size_t black = cells_[i].black, white = cells_[i].white;
    add(black, black, strength);
    add(white, white, strength);
    add(black, white, -strength);
    if (first_move_free_) {
      add(black, first_move(), strength);
      add(white, first_move(), -strength);
      add(first_move(), first_move(), strength);
    }
    if (!drawing_) continue;
    add(black, draw(), mixed);
    add(white, draw(), -mixed);
    add(draw(), draw(), drawn);
    if (first_move_free_) add(first_move(), draw(), mixed);
  }
  return h;
}

// The step of Newton's method.
Vector Davidson::step(const Vector& slope) const {
  return conjugate_gradient([this](std::span<const double> in, std::span<double> out) { curve(in, out); },
                            curve_diagonal(), slope);
}

// Each step is shortened until the posterior does not fall.
Vector Davidson::most_likely(Vector x) {
  double height = log_posterior(x);
  for (int round = 0; round < kMostRounds; ++round) {
    const Vector way = step(slope(x));
    double longest = 0;
    for (const double part : way) longest = std::max(longest, std::abs(part));
    Vector next = x;
    double next_height = height;
    int halvings = 0;
    for (; halvings < kMostHalvings; ++halvings) {
      const double mu = std::ldexp(1.0, -halvings);
      for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + mu * way[i];
      next_height = log_posterior(next);
      if (next_height >= height || longest < kTinyStep) break;
    }
    if (halvings == kMostHalvings) break;  // as far as doubles can tell this is the top
    x = std::move(next);
    height = next_height;
    if (longest < kTinyStep) break;
  }
  slope(x);
  return x;
}

}  // namespace fuhyo::core::rating
