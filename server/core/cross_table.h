// Players against each other: of any set of games, or of a tournament where everybody meets everybody. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/games/game_terms.h"
#include "server/core/tally.h"

namespace fuhyo::core {

// So many games of these two ended like this. Players go by "name+trip", those without a trip by "name+".
struct CrossResult {
  std::string black, white;
  Outcome outcome{};
  std::int64_t games = 0;
};

struct CrossTable {
  struct Player {
    std::string who;
    Tally tally;  // against the others of the table
    bool operator==(const Player&) const = default;
  };
  // Two who have met: places among `players`, the better one first, and how it went for that one.
  struct Cell {
    std::size_t row = 0, column = 0;
    Tally tally;
    bool operator==(const Cell&) const = default;
  };

  // Most points first; then most wins, the better rate of points, and the name.
  std::vector<Player> players;
  std::vector<Cell> cells;  // of those who have met, by row and column

  // The standings of `entrants` by these results. Results of others, of one against himself and games without a result
  // do not count.
  static CrossTable of(const std::vector<std::string>& entrants, const std::vector<CrossResult>& results);
};

}  // namespace fuhyo::core
