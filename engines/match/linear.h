// Linear algebra for a Gaussian process: symmetric positive definite matrices of some thousand rows at most. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace fuhyo::match {

// Square, row by row.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), data_(size * size) {}
  std::size_t size() const { return size_; }
  double* row(std::size_t i) { return data_.data() + i * size_; }
  const double* row(std::size_t i) const { return data_.data() + i * size_; }

 private:
  std::size_t size_;
  std::vector<double> data_;
};

// Lower triangle L with L Lᵀ = the matrix.
class Cholesky {
 public:
  // Nothing if the matrix is not positive definite, even after a little (up to a millionth of its mean diagonal) was
  // added to the diagonal.
  static std::optional<Cholesky> of(const Matrix& matrix);

  // x with L Lᵀ x = b.
  std::vector<double> solve(std::vector<double> b) const;
  // x with L x = b.
  std::vector<double> solve_lower(std::vector<double> b) const;
  double log_determinant() const;  // of the whole matrix
  Matrix inverse() const;          // of the whole matrix

 private:
  explicit Cholesky(Matrix lower) : lower_(std::move(lower)) {}
  Matrix lower_;
};

double dot(const double* a, const double* b, std::size_t count);

}  // namespace fuhyo::match
