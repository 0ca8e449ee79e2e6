// Who beat whom how often, with weights: the games of a list as mk_rate counts them, and its choice of those whose
// games say enough for a rating. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/core/rating/duels.h"
#include "server/core/rating/games.h"
#include "server/core/rating/shogi_server.h"

namespace fuhyo::core::rating {

struct WinTable {
  struct Player {
    std::string id;  // as rated_id() makes it
    double win = 0, loss = 0;
    Wall newest;  // end of the newest game that counted
  };
  std::vector<Player> players;  // in the order of their ids
  std::vector<Duel> duels;      // every pair that met, in the order of (a, b), a < b

  WinTable(const Games& games, const ShogiServerRules& rules);
};

// Players who met each other, directly or by others, with what they won and lost among themselves.
struct RatedGroup {
  std::vector<std::uint32_t> members;  // of WinTable::players, ascending
  std::vector<Duel> duels;             // numbered by place in `members`
  std::vector<double> win, loss;       // of each member
};

// Largest first. Left out, again and again until nobody is: those with less than one win, one loss or fifteen games
// against the others that are left.
std::vector<RatedGroup> rated_groups(const WinTable& table);

}  // namespace fuhyo::core::rating
