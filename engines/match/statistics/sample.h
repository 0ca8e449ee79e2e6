// Counts as an observed distribution of scores, which all statistics of a match work on. Pure; any thread.
#pragma once

#include <vector>

#include "engines/match/statistics/counts.h"

namespace fuhyo::match {

struct Cell {
  double score = 0;  // 0 to 1: of a game, or of a pair, of which 1 is two wins
  double share = 0;  // of the observations; together 1
};

struct Sample {
  std::vector<Cell> cells;        // by score
  double size = 0;                // observations
  double games_each = 1;          // games of an observation: 1 or 2
  double mean() const;            // 0 to 1
  double variance() const;        // of an observation
  double game_deviation() const;  // sigma of one game: that of an observation, times the root of its games
};

// As counted. Nothing observed: all shares are 0.
Sample sample_of(const GameCounts& counts);
Sample sample_of(const PairCounts& counts);

// Likewise, but what was never seen counts as a thousandth of an observation, as fishtest has it: a likelihood needs
// every cell.
Sample regularised(const GameCounts& counts);
Sample regularised(const PairCounts& counts);

}  // namespace fuhyo::match
