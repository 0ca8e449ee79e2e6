#include "engines/learn/generate/dirichlet.h"

#include <cmath>

namespace fuhyo::learn {

using match::tune::Random;

namespace {

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
double gamma(double alpha, Random& random) {
  if (alpha < 1) return gamma(alpha + 1, random) * std::pow(1 - random.uniform(), 1 / alpha);
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal(), v = 1 + c * x;
    if (v <= 0) continue;
    const double cube = v * v * v;
    if (std::log(1 - random.uniform()) < x * x / 2 + d - d * cube + d * std::log(cube)) return d * cube;
  }
}

}  // namespace

std::vector<float> dirichlet(std::size_t count, double alpha, Random& random) {
  std::vector<float> out(count);
  double sum = 0;
  for (float& value : out) {
    const double drawn = gamma(alpha, random);
    value = static_cast<float>(drawn);
    sum += drawn;
  }
  for (float& value : out) value = sum > 0 ? static_cast<float>(value / sum) : 1 / static_cast<float>(count);
  return out;
}

}  // namespace fuhyo::learn
