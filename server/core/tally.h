// How games went for one side of them. A value.
#pragma once

#include <cstdint>

namespace fuhyo::core {

struct Tally {
  std::int64_t games = 0, wins = 0, losses = 0, draws = 0;  // games: also those without a result

  // A draw is half a point.
  double points() const { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
  bool operator==(const Tally&) const = default;
};

}  // namespace fuhyo::core
