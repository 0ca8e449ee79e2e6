#include "server/core/rating/duels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "server/core/rating/components.h"
#include "server/core/rating/conjugate_gradient.h"
#include "server/core/rating/dense.h"

namespace fuhyo::core::rating {
namespace {

using Vector = std::vector<double>;

// mk_rate's figures.
constexpr double kSmallStep = 1e-3;  // of the strengths: the rounds end
constexpr int kMostHalvings = 15;    // of a step; then: start again
constexpr int kMostRounds = 500;
constexpr double kFirstSpread = 500 * kPoint;

constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
constexpr double kTinyStep = 1e-10;
constexpr int kFewRounds = 30;

void center(Vector& x) {
  const double mean = std::reduce(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  for (double& value : x) value -= mean;
}

// P(b beats a).
double upset(const Duel& duel, std::span<const double> strength) {
  return 1 / (1 + std::exp(strength[duel.a] - strength[duel.b]));
}

// The slope of the log likelihood, twice, as mk_rate has it: wins that are missing from what the strengths let expect.
Vector slope(std::span<const double> strength, std::span<const Duel> duels) {
  Vector f(strength.size());
  for (const Duel& duel : duels) {
    const double b_beats = upset(duel, strength);
    const double surplus = 2 * (duel.a_wins * b_beats - duel.b_wins * (1 - b_beats));
    f[duel.a] += surplus;
    f[duel.b] -= surplus;
  }
  return f;
}

// The curvature of the log likelihood, twice and with the sign turned: springs between the players.
class Springs {
 public:
  Springs(std::span<const double> strength, std::span<const Duel> duels)
      : duels_(duels), stiffness_(duels.size()), diagonal_(strength.size()), parts_(strength.size()) {
    for (std::size_t i = 0; i < duels.size(); ++i) {
      const double b_beats = upset(duels[i], strength);
      stiffness_[i] = 2 * b_beats * (1 - b_beats) * (duels[i].a_wins + duels[i].b_wins);
      diagonal_[duels[i].a] += stiffness_[i];
      diagonal_[duels[i].b] += stiffness_[i];
    }
    // What is lost in rounding beside the stiffest ones holds nothing together: here mk_rate's least squares drop the
    // direction, and rates that could run away for ever stop.
    const double least = kRounding * *std::ranges::max_element(diagonal_);
    for (std::size_t i = 0; i < duels.size(); ++i) {
      if (stiffness_[i] > least)
        parts_.join(duels[i].a, duels[i].b);
      else
        stiffness_[i] = 0;
    }
  }

  // Whether all players hang together.
  bool whole() {
    for (std::uint32_t k = 0; k < diagonal_.size(); ++k) {
      if (parts_.root(k) != parts_.root(0)) return false;
    }
    return true;
  }

  // The way by which these forces move the players; parts that nothing connects stay where they are as a whole.
  Vector give_way(Vector force) {
    center_parts(force);  // what rounding has put there could never be balanced
    const auto multiply = [this](std::span<const double> x, std::span<double> y) {
      std::ranges::fill(y, 0.0);
      for (std::size_t i = 0; i < duels_.size(); ++i) {
        const double pull = stiffness_[i] * (x[duels_[i].a] - x[duels_[i].b]);
        y[duels_[i].a] += pull;
        y[duels_[i].b] -= pull;
      }
    };
    Vector way = conjugate_gradient(multiply, diagonal_, force);
    center_parts(way);
    return way;
  }

 private:
  void center_parts(Vector& x) {
    Vector sum(x.size()), size(x.size());
    for (std::uint32_t k = 0; k < x.size(); ++k) {
      sum[parts_.root(k)] += x[k];
      size[parts_.root(k)] += 1;
    }
    for (std::uint32_t k = 0; k < x.size(); ++k) x[k] -= sum[parts_.root(k)] / size[parts_.root(k)];
  }

  std::span<const Duel> duels_;
  Vector stiffness_, diagonal_;
  Components parts_;
};

// spread * (place + 1) / players, where place[k] is the player in the k-th place of the order of `key`. (mk_rate takes
// it for the place of player k; the start of its rounds is all that depends on it.)
Vector spread_by(std::span<const double> key, double spread) {
  std::vector<std::size_t> place(key.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::ranges::sort(place, {}, [&](std::size_t k) { return std::pair(key[k], k); });
  Vector start(key.size());
  for (std::size_t k = 0; k < key.size(); ++k) {
    start[k] = spread * static_cast<double>(place[k] + 1) / static_cast<double>(key.size());
  }
  center(start);
  return start;
}

Vector success(std::size_t players, std::span<const Duel> duels) {
  Vector wins(players), losses(players);
  for (const Duel& duel : duels) {
    wins[duel.a] += duel.a_wins;
    wins[duel.b] += duel.b_wins;
    losses[duel.a] += duel.b_wins;
    losses[duel.b] += duel.a_wins;
  }
  Vector share(players);
  for (std::size_t k = 0; k < players; ++k) {
    if (std::hypot(wins[k], losses[k]) >= 1) share[k] = wins[k] / (wins[k] + losses[k]);
  }
  return share;
}

class MkRate {
 public:
  MkRate(std::size_t players, std::span<const Duel> duels)
      : duels_(duels), strength_(spread_by(success(players, duels), kFirstSpread)) {}

  Vector run() {
    int rounds = 0;
    double step_size = 0;
    do {
      const Vector f = slope(strength_, duels_);
      const Vector step = Springs(strength_, duels_).give_way(f);
      step_size = norm(step);
      damped(step, norm(f), rounds);
      remember();
    } while (++rounds <= kMostRounds && step_size > kSmallStep * norm(strength_));
    return best_;
  }

 private:
  void damped(const Vector& step, double former, int rounds) {
    const Vector start = strength_;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings) {
      const double mu = std::ldexp(1.0, -halvings);
      for (std::size_t k = 0; k < start.size(); ++k) strength_[k] = start[k] + mu * step[k];
      if (norm(slope(strength_, duels_)) < (1 - mu / 4) * former) return;
    }
    remember();
    strength_ = spread_by(best_, kPoint * rounds * 1.5);
  }

  void remember() {
    const double error = norm(slope(strength_, duels_));
    if (best_.empty() || error < error_) {
      error_ = error;
      best_ = strength_;
    }
  }

  std::span<const Duel> duels_;
  Vector strength_, best_;
  double error_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<double> strengths_as_mk_rate(std::size_t players, std::span<const Duel> duels) {
  return MkRate(players, duels).run();
}

std::vector<double> strengths_from(std::vector<double> start, std::span<const Duel> duels) {
  Vector strength = std::move(start);
  center(strength);
  double error = norm(slope(strength, duels));
  for (int round = 0; round < kFewRounds; ++round) {
    Springs springs(strength, duels);
    if (!springs.whole()) break;
    const Vector step = springs.give_way(slope(strength, duels));
    Vector next = strength;
    for (std::size_t k = 0; k < next.size(); ++k) next[k] += step[k];
    const double next_error = norm(slope(next, duels));
    const bool there = norm(step) <= kTinyStep * (1 + norm(strength));
    if (!there && !(next_error < error)) break;
    strength = std::move(next);
    error = next_error;
    if (there) return strength;
  }
  return strengths_as_mk_rate(strength.size(), duels);
}

std::vector<double> strength_errors(std::span<const double> strengths, std::span<const Duel> duels) {
  const std::size_t n = strengths.size();
  if (n == 0 || n > kMostPlayersWithErrors || !Springs(strengths, duels).whole()) return {};
  // The curvature is singular along "all move together"; filled up there, it can be inverted.
  const double fill = 1 / static_cast<double>(n);
  SquareMatrix curvature(n);
  for (std::size_t i = 0; i < n; ++i) std::fill_n(curvature.row(i), n, fill);
  for (const Duel& duel : duels) {
    const double b_beats = upset(duel, strengths);
    const double known = b_beats * (1 - b_beats) * (duel.a_wins + duel.b_wins);
    curvature.at(duel.a, duel.a) += known;
    curvature.at(duel.b, duel.b) += known;
    curvature.at(std::min(duel.a, duel.b), std::max(duel.a, duel.b)) -= known;
  }
  const auto covariance = inverse(std::move(curvature));
  if (!covariance) return {};
  Vector errors(n);
  for (std::size_t i = 0; i < n; ++i) errors[i] = std::sqrt(std::max(covariance->at(i, i) - fill, 0.0));
  return errors;
}

}  // namespace fuhyo::core::rating
