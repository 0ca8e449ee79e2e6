// The tree-structured Parzen estimator. Pure.
#include "engines/match/tune/tpe.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "engines/match/tune/axis.h"

namespace fuhyo::match::tune {
namespace {

// Of a normal distribution, below x.
double below(double x, const Parzen::Normal& normal) {
  return 0.5 * std::erfc((normal.mean - x) / (normal.deviation * std::numbers::sqrt2));
}

// Newest last. The prior weighs 1 as the newest ones do.
double weight_of(std::size_t index, std::size_t count, std::size_t forgetting) {
  if (count <= forgetting || index >= count - forgetting) return 1;
  const auto ramp = static_cast<double>(count - forgetting);
  const double first = 1 / static_cast<double>(count);
  return ramp == 1 ? first : first + (1 - first) * static_cast<double>(index) / (ramp - 1);
}

// As wide as the way to the farther neighbour, within limits: many points may be narrow, few may not.
void set_deviations(std::vector<Parzen::Normal>& parts) {
  const double least = 1 / std::min(100.0, 1 + static_cast<double>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].deviation > 0) continue;  // the prior
    const double left = i > 0 ? parts[i].mean - parts[i - 1].mean : 0;
    const double right = i + 1 < parts.size() ? parts[i + 1].mean - parts[i].mean : 0;
    // hyperopt: a single point is half as wide as the prior.
    parts[i].deviation = parts.size() == 2 ? 0.5 : std::clamp(std::max(left, right), least, 1.0);
  }
}

double propose_one(const Axis& axis, const Parzen& good, const Parzen& bad, std::size_t candidates, Random& chance) {
  double best_value = 0, best = -INFINITY;
  for (std::size_t i = 0; i < candidates; ++i) {
    const double at = good.draw(chance), value = axis.value(at);
    double gain = 0;
    if (axis.whole()) {
      const auto [from, to] = axis.bin(value);
      gain = std::log(good.mass(from, to)) - std::log(bad.mass(from, to));
    } else {
      gain = std::log(good.density(at)) - std::log(bad.density(at));
    }
    if (gain > best) best = gain, best_value = value;
  }
  return best_value;
}

std::vector<double> units(const Axis& axis, const std::vector<Tried>& tried, const std::vector<std::size_t>& which,
                          std::size_t parameter) {
  std::vector<double> points;
  points.reserve(which.size());
  for (const std::size_t each : which) points.push_back(axis.unit(tried[each].values[parameter]));
  return points;
}

}  // namespace

Parzen::Parzen(const std::vector<double>& points, std::size_t forgetting) {
  parts_.push_back({.weight = 1, .mean = 0.5, .deviation = 1});
  for (std::size_t i = 0; i < points.size(); ++i) {
    parts_.push_back({.weight = weight_of(i, points.size(), forgetting), .mean = points[i], .deviation = 0});
  }
  std::ranges::sort(parts_, {}, [](const Normal& each) { return std::tuple(each.mean, each.deviation, each.weight); });
  set_deviations(parts_);
  double sum = 0;
  for (const Normal& each : parts_) sum += each.weight;
  inside_ = 0;
  for (Normal& each : parts_) {
    each.weight /= sum;
    inside_ += each.weight * (below(1, each) - below(0, each));
  }
}

double Parzen::draw(Random& chance) const {
  while (true) {
    double left = chance.uniform();
    std::size_t part = 0;
    while (part + 1 < parts_.size() && left >= parts_[part].weight) left -= parts_[part++].weight;
    const double at = parts_[part].mean + parts_[part].deviation * chance.normal();
    if (at >= 0 && at <= 1) return at;
  }
}

double Parzen::density(double at) const {
  double sum = 0;
  for (const auto& [weight, mean, deviation] : parts_) {
    const double away = (at - mean) / deviation;
    sum += weight * std::exp(-away * away / 2) / (deviation * std::sqrt(2 * std::numbers::pi));
  }
  return sum / inside_;
}

double Parzen::mass(double from, double to) const {
  double sum = 0;
  for (const Normal& each : parts_) sum += each.weight * (below(to, each) - below(from, each));
  return sum / inside_;
}

std::pair<std::vector<std::size_t>, std::vector<std::size_t>> split_best(const std::vector<Tried>& tried,
                                                                         const TpeRules& rules) {
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t each) { return std::pair(-tried[each].score, each); });
  const double wanted = std::ceil(rules.gamma * std::sqrt(static_cast<double>(tried.size())));
  const std::size_t count = std::min({static_cast<std::size_t>(wanted), rules.forgetting, tried.size()});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::size_t> good(order.begin(), middle), bad(middle, order.end());
  std::ranges::sort(good);
  std::ranges::sort(bad);
  return {std::move(good), std::move(bad)};
}

Values propose(const Parameters& parameters, const std::vector<Tried>& tried, const TpeRules& rules, Random& chance) {
  const auto [good, bad] = split_best(tried, rules);
  Values values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Axis axis(parameters[i]);
    if (!parameters[i].used) {
      values.push_back(rounded(parameters[i], parameters[i].value));
    } else if (tried.size() < rules.startup) {
      values.push_back(axis.value(chance.uniform()));
    } else {
      const Parzen near(units(axis, tried, good, i), rules.forgetting),
          far(units(axis, tried, bad, i), rules.forgetting);
      values.push_back(propose_one(axis, near, far, rules.candidates, chance));
    }
  }
  return values;
}

}  // namespace fuhyo::match::tune
