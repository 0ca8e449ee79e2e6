// BFGS in a box. Pure.
#include "engines/match/tune/minimise.h"

#include <algorithm>
#include <cmath>

#include "engines/match/linear.h"

namespace fuhyo::match::tune {
namespace {

using Vector = std::vector<double>;

// An estimate of the inverse of the second derivatives.
class Curvature {
 public:
  explicit Curvature(std::size_t size) : inverse_(size) { reset(); }

  void reset() {
    for (std::size_t i = 0; i < inverse_.size(); ++i) {
      std::fill_n(inverse_.row(i), inverse_.size(), 0.0);
      inverse_.row(i)[i] = 1;
    }
    fresh_ = true;
  }
  bool fresh() const { return fresh_; }
  // Downhill, for coordinates that are free to move; the others stay.
  Vector direction(const Vector& gradient, const std::vector<bool>& is_free) const {
    Vector masked = gradient, result(gradient.size());
    for (std::size_t i = 0; i < masked.size(); ++i) masked[i] = is_free[i] ? masked[i] : 0;
    for (std::size_t i = 0; i < masked.size(); ++i) {
      if (is_free[i]) result[i] = -dot(inverse_.row(i), masked.data(), masked.size());
    }
    return result;
  }
  // What a step taught.
  void learn(const Vector& step, const Vector& change) {
    const std::size_t size = step.size();
    const double along = dot(step.data(), change.data(), size);
    if (!(along > 1e-12 * dot(change.data(), change.data(), size))) return;
    Vector image(size);
    for (std::size_t i = 0; i < size; ++i) image[i] = dot(inverse_.row(i), change.data(), size);
    const double factor = (1 + dot(change.data(), image.data(), size) / along) / along;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        inverse_.row(i)[j] += factor * step[i] * step[j] - (image[i] * step[j] + step[i] * image[j]) / along;
      }
    }
    fresh_ = false;
  }

 private:
  Matrix inverse_;
  bool fresh_ = true;
};

// Those that do not lean on a bound.
std::vector<bool> free_ones(const Vector& at, const Vector& gradient, const Box& box) {
  std::vector<bool> is_free(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    is_free[i] = !(at[i] <= box.low[i] && gradient[i] > 0) && !(at[i] >= box.high[i] && gradient[i] < 0);
  }
  return is_free;
}

struct Place {
  Vector at, gradient;
  double value;
};

// Halves the step until the value falls; false if it never does.
bool walk(const Smooth& function, const Vector& direction, const Box& box, Place& place) {
  double length = 1;
  for (int halving = 0; halving < 30; ++halving) {
    Place next{place.at, Vector(place.at.size()), 0};
    double expected = 0;
    for (std::size_t i = 0; i < next.at.size(); ++i) {
      next.at[i] = std::clamp(place.at[i] + length * direction[i], box.low[i], box.high[i]);
      expected += place.gradient[i] * (next.at[i] - place.at[i]);
    }
    next.value = function(next.at, next.gradient);
    if (next.value < place.value && next.value <= place.value + 1e-4 * expected) {
      place = std::move(next);
      return true;
    }
    length /= 2;
  }
  return false;
}

}  // namespace

Minimum minimise(const Smooth& function, std::vector<double> start, const Box& box, int steps) {
  Place place{std::move(start), {}, 0};
  place.gradient.resize(place.at.size());
  place.value = function(place.at, place.gradient);
  Curvature curvature(place.at.size());
  std::vector<bool> was_free;
  for (int step = 0; step < steps && std::isfinite(place.value); ++step) {
    const std::vector<bool> is_free = free_ones(place.at, place.gradient, box);
    if (is_free != was_free) curvature.reset();
    was_free = is_free;
    const Place before = place;
    if (!walk(function, curvature.direction(place.gradient, is_free), box, place)) {
      if (curvature.fresh()) break;
      curvature.reset();
      continue;
    }
    Vector moved(place.at.size()), change(place.at.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] = place.at[i] - before.at[i];
      change[i] = place.gradient[i] - before.gradient[i];
    }
    if (before.value - place.value < 1e-9 * (1 + std::abs(place.value))) break;
    curvature.learn(moved, change);
  }
  return {std::move(place.at), place.value};
}

}  // namespace fuhyo::match::tune
