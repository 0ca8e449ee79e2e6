// Counts as shares of scores.
#include "engines/match/statistics/sample.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace fuhyo::match {
namespace {

constexpr double kNeverSeen = 1e-3;

Sample from_cells(std::span<const std::int64_t> counts, double games_each, double never_seen) {
  Sample sample{.cells = {}, .size = 0, .games_each = games_each};
  const double best = static_cast<double>(counts.size() - 1);
  for (const std::int64_t count : counts) {
    const double weight = count > 0 ? static_cast<double>(count) : never_seen;
    sample.cells.push_back({.score = static_cast<double>(sample.cells.size()) / best, .share = weight});
    sample.size += weight;
  }
  for (Cell& cell : sample.cells) cell.share = sample.size > 0 ? cell.share / sample.size : 0;
  return sample;
}

std::array<std::int64_t, 3> cells_of(const GameCounts& counts) { return {counts.losses, counts.draws, counts.wins}; }

}  // namespace

double Sample::mean() const {
  double sum = 0;
  for (const Cell& cell : cells) sum += cell.share * cell.score;
  return sum;
}

double Sample::variance() const {
  const double middle = mean();
  double sum = 0;
  for (const Cell& cell : cells) sum += cell.share * (cell.score - middle) * (cell.score - middle);
  return sum;
}

double Sample::game_deviation() const { return std::sqrt(games_each * variance()); }

Sample sample_of(const GameCounts& counts) { return from_cells(cells_of(counts), 1, 0); }
Sample sample_of(const PairCounts& counts) { return from_cells(counts.of, 2, 0); }
Sample regularised(const GameCounts& counts) { return from_cells(cells_of(counts), 1, kNeverSeen); }
Sample regularised(const PairCounts& counts) { return from_cells(counts.of, 2, kNeverSeen); }

}  // namespace fuhyo::match
