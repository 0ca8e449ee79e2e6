// Random numbers that are a function of a seed and of a place (a stream, such as the number of a trial): whoever knows
// both draws the same ones, so nothing of a generator needs to be stored. Pure; one thread at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace fuhyo::match::tune {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(seed + kStep) ^ mix(mix(stream + kStep))) {}

  std::uint64_t bits() { return mix(state_ += kStep); }
  // Within [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  // Within [0, count), count > 0: for all purposes but cryptography without a bias.
  std::uint64_t below(std::uint64_t count) { return bits() % count; }
  bool coin() { return (bits() >> 63) != 0; }
  // Of mean 0 and variance 1 (Box and Muller).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  // SplitMix64 (Steele, Lea, Flood 2014).
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace fuhyo::match::tune
