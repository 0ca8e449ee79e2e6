// Small dense linear algebra: the inverse of a symmetric positive matrix. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace fuhyo::core::rating {

// A square matrix, row by row.
class SquareMatrix {
 public:
  explicit SquareMatrix(std::size_t size) : size_(size), cells_(size * size) {}
  std::size_t size() const { return size_; }
  double& at(std::size_t row, std::size_t column) { return cells_[row * size_ + column]; }
  double at(std::size_t row, std::size_t column) const { return cells_[row * size_ + column]; }
  double* row(std::size_t i) { return cells_.data() + i * size_; }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

// Nothing if the matrix is not positive definite, as far as doubles can tell. Only the upper half of it is read. About
// size^3 multiplications.
std::optional<SquareMatrix> inverse(SquareMatrix matrix);

}  // namespace fuhyo::core::rating
