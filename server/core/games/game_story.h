// A game as its facts tell it, and who watches it. A game session is such a story, also after a crash. A game that is
// shown with a delay is another one, as far as it has been shown.
#pragma once

#include <vector>

#include "server/core/comments.h"
#include "server/core/facts.h"
#include "server/core/games/game.h"
#include "server/core/games/game_phase.h"
#include "server/core/ids.h"

namespace fuhyo::core {

// Who watches a game, of each kind in the order in which they asked.
struct Watchers {
  std::vector<ConnId> board;   // %%MONITORON: the board after each move
  std::vector<ConnId> record;  // %%MONITOR2ON: the lines of the record
};

struct GameStory {
  Game game;
  GamePhase phase{};
  RunningRecord record{};  // what the record file holds behind its head
  Watchers watchers{};

  // Takes a fact of this game as it stands: nothing is judged again. Its end changes nothing here.
  void apply(const Fact& fact);
};

}  // namespace fuhyo::core
