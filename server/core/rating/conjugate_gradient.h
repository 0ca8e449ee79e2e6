// Solves A x = b for a symmetric positive matrix that is only known by what it does to a vector. Pure.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace fuhyo::core::rating {

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

// Conjugate gradients, preconditioned by the diagonal of A. `multiply(x, y)` sets y = A x. Ends when the residual is
// 1e-14 of b, or no longer falls: what rounding leaves is the best there is. A may be singular as long as b is in its
// range (the Laplacian of a connected graph, and b of sum zero): x is then one of the solutions.
template <class Multiply>
std::vector<double> conjugate_gradient(const Multiply& multiply, std::span<const double> diagonal,
                                       std::span<const double> b) {
  constexpr double kTolerance = 1e-14;
  const std::size_t n = b.size();
  std::vector<double> x(n), r(b.begin(), b.end()), z(n), p(n), ap(n);
  const auto precondition = [&] {
    for (std::size_t i = 0; i < n; ++i) z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0;
  };
  const double enough = kTolerance * norm(b);
  precondition();
  p = z;
  double rz = dot(r, z);
  for (std::size_t round = 0; round < 20 * n + 100 && norm(r) > enough; ++round) {
    multiply(std::span<const double>(p), std::span<double>(ap));
    const double curvature = dot(p, ap);
    if (!(curvature > 0) || !std::isfinite(rz)) break;
    const double step = rz / curvature;
    for (std::size_t i = 0; i < n; ++i) x[i] += step * p[i];
    for (std::size_t i = 0; i < n; ++i) r[i] -= step * ap[i];
    precondition();
    const double former = rz;
    rz = dot(r, z);
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + rz / former * p[i];
  }
  return x;
}

}  // namespace fuhyo::core::rating
