// Reachability by Warshall's algorithm: pools are small.
#include "engines/match/statistics/connected.h"

#include <cstddef>

namespace fuhyo::match {

Taken reach(Taken taken) {
  const std::size_t count = taken.size();
  for (std::size_t i = 0; i < count; ++i) taken[i][i] = true;
  for (std::size_t by = 0; by < count; ++by) {
    for (std::size_t from = 0; from < count; ++from) {
      if (!taken[from][by]) continue;
      for (std::size_t to = 0; to < count; ++to) {
        if (taken[by][to]) taken[from][to] = true;
      }
    }
  }
  return taken;
}

std::vector<int> largest_comparable(const Taken& reached) {
  std::vector<int> largest;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    std::vector<int> with;
    for (std::size_t j = 0; j < reached.size(); ++j) {
      if (reached[i][j] && reached[j][i]) with.push_back(static_cast<int>(j));
    }
    if (with.size() > largest.size()) largest = with;
  }
  return largest;
}

}  // namespace fuhyo::match
