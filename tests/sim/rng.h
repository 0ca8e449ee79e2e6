// The only source of chance in the simulator: splitmix64. The same seed draws the same numbers on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace fuhyo::sim {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 .. n-1; n must not be 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  std::int64_t between(std::int64_t low, std::int64_t high) {  // both included
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }
  std::int64_t exponential(std::int64_t mean) {
    return static_cast<std::int64_t>(-std::log1p(-unit()) * static_cast<double>(mean));
  }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(list.size())];
  }
  // An independent stream: what one part draws does not shift what the others draw.
  Rng fork() { return Rng(next()); }

 private:
  std::uint64_t state_;
};

}  // namespace fuhyo::sim
