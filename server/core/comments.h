// When others may read the comments of players (evaluations, lines) and what they send before their turn. Every output
// of a record asks here, because an opponent's program can read what spectators can. Values; any thread.
#pragma once

#include "server/core/game_facts.h"

namespace fuhyo::core {

// The rule of its room, else that of the server.
inline bool comments_shown(Comments of_server, const GameOpened& opened, bool over) {
  const Comments rule = opened.comments.value_or(of_server);
  return rule == Comments::live || (rule == Comments::after && over);
}

}  // namespace fuhyo::core
