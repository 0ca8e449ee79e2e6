// Shared by the loops: rounds (generations, epochs), each with a number. Values only.
#pragma once

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <string_view>

#include "engines/match/tune/random.h"

namespace fuhyo::learn {

// A seed of a run, different for each round and each `purpose` (below 8).
inline std::uint64_t round_seed(std::uint64_t seed, int round, std::uint64_t purpose) {
  return match::tune::Random(seed, static_cast<std::uint64_t>(round) * 8 + purpose).bits() >> 1U;
}

// Calls `say`, if it is set, with "epoch 3: LINE".
inline void say_of(const std::function<void(std::string_view line)>& say, std::string_view kind, int round,
                   std::string_view line) {
  if (say) say(fmt::format("{} {}: {}", kind, round, line));
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace fuhyo::learn
