// A game and who watches it. A game session is such a game, also after a crash. A game that is shown with a delay is
// another one, as far as it has been shown.
#pragma once

#include <vector>

#include "server/core/games/game.h"
#include "server/core/ids.h"

namespace fuhyo::core {

// Who watches a game, of each kind in the order in which they asked.
struct Watchers {
  std::vector<ConnId> board;     // %%MONITORON: the board after each move
  std::vector<ConnId> record;    // %%MONITOR2ON: the lines of the record
  std::vector<ConnId> comments;  // those of `record` who asked for comments of moves as well
};

struct WatchedGame {
  Game game;
  Watchers watchers{};
};

}  // namespace fuhyo::core
