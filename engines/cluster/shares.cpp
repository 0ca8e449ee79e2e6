#include "engines/cluster/shares.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace fuhyo::cluster {
namespace {

constexpr double kPawn = 0.15;  // of log odds: 100 centipawns on the curve of usi::wdl_of()
constexpr double kNearlyCertain = 0.999;

double log_odds(const members::Value& value) {
  const double chance = std::clamp(value.chance, 1 - kNearlyCertain, kNearlyCertain);
  return std::log(chance / (1 - chance));
}

}  // namespace

std::vector<double> softmax(std::span<const members::Value> values) {
  std::vector<double> shares;
  const double best = log_odds(*std::ranges::max_element(values, {}, log_odds));
  for (const members::Value& value : values) shares.push_back(std::exp((log_odds(value) - best) / kPawn));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<std::size_t> allot(std::span<const double> shares, std::size_t nodes) {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t left = nodes;
  for (const double share : shares) {
    counts.push_back(std::min(left, static_cast<std::size_t>(share * static_cast<double>(nodes))));
    left -= counts.back();
  }
  const auto rest = [&](std::size_t i) {
    return std::pair(shares[i] * static_cast<double>(nodes) - static_cast<double>(counts[i]), shares.size() - i);
  };
  std::ranges::sort(order, std::ranges::greater{}, rest);
  for (std::size_t i = 0; i < order.size() && left > 0; ++i, --left) ++counts[order[i]];
  return counts;
}

std::size_t splitters(std::span<const double> shares, std::size_t nodes) {
  if (nodes < 2) return 0;
  const double best = *std::ranges::max_element(shares);
  return static_cast<std::size_t>(static_cast<double>(nodes - 1) * (1 - best));
}

}  // namespace fuhyo::cluster
