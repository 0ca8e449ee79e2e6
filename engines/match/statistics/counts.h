// Results of a match, counted: game by game, or by pairs of games from one opening with colours swapped. Pairs say
// more, because the luck of the opening falls on both sides of a pair and is no longer noise. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>

namespace fuhyo::match {

// Of the first player.
struct GameCounts {
  std::int64_t losses = 0, draws = 0, wins = 0;
  bool operator==(const GameCounts&) const = default;

  std::int64_t games() const { return losses + draws + wins; }
};

// By the first player's points out of the two games: 0, 1/2, 1, 3/2, 2.
struct PairCounts {
  std::array<std::int64_t, 5> of{};
  bool operator==(const PairCounts&) const = default;

  std::int64_t pairs() const { return of[0] + of[1] + of[2] + of[3] + of[4]; }
  void add(int half_points) { ++of[static_cast<std::size_t>(half_points)]; }  // 0 to 4
};

}  // namespace fuhyo::match
