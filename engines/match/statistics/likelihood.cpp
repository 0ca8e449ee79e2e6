// Lagrange's multiplier of a constraint that is linear in the shares, and, for one that is not, of its tangents.
#include "engines/match/statistics/likelihood.h"

#include <algorithm>
#include <cmath>

namespace fuhyo::match {
namespace {

// The x with sum of share * value / (1 + x * value) = 0. Between the two poles that leave all terms positive the sum
// falls from infinity to minus infinity, so that halving finds the only one there is. Values of both signs.
double multiplier(const Sample& sample, const std::vector<double>& values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  double low = -1 / *greatest, high = -1 / *least;
  constexpr int kHalvings = 200;  // more than a double can resolve
  for (int i = 0; i < kHalvings; ++i) {
    const double x = low + (high - low) / 2;
    if (x == low || x == high) break;
    double sum = 0;
    for (std::size_t c = 0; c < values.size(); ++c) sum += sample.cells[c].share * values[c] / (1 + x * values[c]);
    (sum > 0 ? low : high) = x;
  }
  return low + (high - low) / 2;
}

// The likeliest distribution under which the values have the mean 0.
Shares likeliest(const Sample& sample, const std::vector<double>& values) {
  const double x = multiplier(sample, values);
  Shares shares;
  for (std::size_t c = 0; c < values.size(); ++c) shares.push_back(sample.cells[c].share / (1 + x * values[c]));
  return shares;
}

Sample with_shares(const Sample& sample, const Shares& shares) {
  Sample out = sample;
  for (std::size_t c = 0; c < shares.size(); ++c) out.cells[c].share = shares[c];
  return out;
}

double largest_difference(const Shares& a, const Shares& b) {
  double largest = 0;
  for (std::size_t c = 0; c < a.size(); ++c) largest = std::max(largest, std::abs(a[c] - b[c]));
  return largest;
}

}  // namespace

Shares likeliest_with_mean(const Sample& sample, double mean) {
  std::vector<double> values;
  values.reserve(sample.cells.size());
  for (const Cell& cell : sample.cells) values.push_back(cell.score - mean);
  return likeliest(sample, values);
}

Shares likeliest_with_distance(const Sample& sample, double distance) {
  Shares shares(sample.cells.size(), 1 / static_cast<double>(sample.cells.size()));
  constexpr int kRounds = 50;  // three or four are usual
  constexpr double kSame = 1e-12;
  for (int round = 0; round < kRounds; ++round) {
    const Sample before = with_shares(sample, shares);
    const double mean = before.mean(), sigma = std::sqrt(before.variance());
    std::vector<double> values;
    for (const Cell& cell : sample.cells) {
      const double off = (mean - cell.score) / sigma;
      values.push_back(cell.score - 0.5 - distance * sigma * (1 + off * off) / 2);
    }
    Shares next = likeliest(sample, values);
    const bool settled = largest_difference(shares, next) < kSame;
    shares = std::move(next);
    if (settled) break;
  }
  return shares;
}

}  // namespace fuhyo::match
