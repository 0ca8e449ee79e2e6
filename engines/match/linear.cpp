// Cholesky's decomposition and what follows from it. Rows are walked along, so that every inner loop is a dot product
// of neighbours in memory. Pure.
#include "engines/match/linear.h"

#include <array>
#include <cmath>

namespace fuhyo::match {
namespace {

bool decompose(Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    double* const row = matrix.row(i);
    for (std::size_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, matrix.row(j), j)) / matrix.row(j)[j];
    const double square = row[i] - dot(row, row, i);
    if (!(square > 0)) return false;
    row[i] = std::sqrt(square);
    for (std::size_t j = i + 1; j < matrix.size(); ++j) row[j] = 0;
  }
  return true;
}

}  // namespace

double dot(const double* a, const double* b, std::size_t count) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += a[i + k] * b[i + k];
  }
  double sum = 0;
  for (; i < count; ++i) sum += a[i] * b[i];
  for (const double each : sums) sum += each;
  return sum;
}

std::optional<Cholesky> Cholesky::of(const Matrix& matrix) {
  double mean = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) mean += matrix.row(i)[i] / static_cast<double>(matrix.size());
  for (const double jitter : {0.0, 1e-12, 1e-10, 1e-8, 1e-6}) {
    Matrix lower = matrix;
    for (std::size_t i = 0; i < matrix.size(); ++i) lower.row(i)[i] += jitter * mean;
    if (decompose(lower)) return Cholesky(std::move(lower));
  }
  return std::nullopt;
}

std::vector<double> Cholesky::solve_lower(std::vector<double> b) const {
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = (b[i] - dot(lower_.row(i), b.data(), i)) / lower_.row(i)[i];
  return b;
}

std::vector<double> Cholesky::solve(std::vector<double> b) const {
  b = solve_lower(std::move(b));
  for (std::size_t i = b.size(); i-- > 0;) {
    b[i] /= lower_.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) b[j] -= lower_.row(i)[j] * b[i];
  }
  return b;
}

double Cholesky::log_determinant() const {
  double sum = 0;
  for (std::size_t i = 0; i < lower_.size(); ++i) sum += 2 * std::log(lower_.row(i)[i]);
  return sum;
}

Matrix Cholesky::inverse() const {
  const std::size_t size = lower_.size();
  Matrix columns(size);  // row j is column j of the inverse of L
  for (std::size_t j = 0; j < size; ++j) {
    double* const column = columns.row(j);
    column[j] = 1 / lower_.row(j)[j];
    for (std::size_t i = j + 1; i < size; ++i) {
      column[i] = -dot(lower_.row(i) + j, column + j, i - j) / lower_.row(i)[i];
    }
  }
  Matrix inverse(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      inverse.row(i)[j] = inverse.row(j)[i] = dot(columns.row(i) + i, columns.row(j) + i, size - i);
    }
  }
  return inverse;
}

}  // namespace fuhyo::match
