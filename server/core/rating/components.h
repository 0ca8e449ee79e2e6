// Which nodes of a graph hang together. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fuhyo::core::rating {

class Components {
 public:
  explicit Components(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), 0U); }
  // The same for all nodes that hang together.
  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(b)] = root(a); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace fuhyo::core::rating
