#include "server/core/rating/dense.h"

#include <cmath>
#include <utility>

namespace fuhyo::core::rating {
namespace {

// y[j] -= factor * x[j] from `from` on: the inner loop of everything here.
void subtract(double* y, const double* x, double factor, std::size_t from, std::size_t to) {
  for (std::size_t j = from; j < to; ++j) y[j] -= factor * x[j];
}

// A = R^T R with R upper; R takes the place of the upper half. False: not positive definite.
bool factorize(SquareMatrix& a) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    double* pivot = a.row(k);
    if (!(pivot[k] > 0)) return false;
    const double root = std::sqrt(pivot[k]);
    for (std::size_t j = k; j < n; ++j) pivot[j] /= root;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (pivot[i] != 0) subtract(a.row(i), pivot, pivot[i], i, n);
    }
  }
  return true;
}

// The inverse of R, upper too: row i is (e_i - sum of R[i][k] * row k) / R[i][i], from the last row up.
SquareMatrix invert_upper(SquareMatrix& r) {
  const std::size_t n = r.size();
  SquareMatrix out(n);
  for (std::size_t i = n; i-- > 0;) {
    double* row = out.row(i);
    row[i] = 1;
    for (std::size_t k = i + 1; k < n; ++k) {
      if (r.at(i, k) != 0) subtract(row, out.row(k), r.at(i, k), k, n);
    }
    for (std::size_t j = i; j < n; ++j) row[j] /= r.at(i, i);
  }
  return out;
}

}  // namespace

std::optional<SquareMatrix> inverse(SquareMatrix matrix) {
  if (!factorize(matrix)) return std::nullopt;
  SquareMatrix s = invert_upper(matrix);
  // The inverse is S S^T. Column k of S contributes S[i][k] * S[j][k]; with S transposed its rows are contiguous.
  const std::size_t n = s.size();
  SquareMatrix transposed(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) transposed.at(j, i) = s.at(i, j);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i <= k; ++i) subtract(out.row(i), transposed.row(k), -transposed.at(k, i), i, k + 1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) out.at(i, j) = out.at(j, i);
  }
  return out;
}

}  // namespace fuhyo::core::rating
