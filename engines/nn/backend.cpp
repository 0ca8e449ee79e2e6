#include "engines/nn/backend.h"

#include <algorithm>
#include <cassert>

namespace fuhyo::nn {

std::uint32_t Batch::add() {
  assert(size_ < capacity_);
  std::ranges::fill(planes(size_), Plane{});
  std::ranges::fill(scalars(size_), 0.F);
  return size_++;
}

}  // namespace fuhyo::nn
