#include "server/core/floodgate/draws.h"

namespace fuhyo::core::floodgate {

std::uint64_t SeededDraws::below(std::uint64_t n) {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) % n;
}

}  // namespace fuhyo::core::floodgate
