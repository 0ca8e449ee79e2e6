// When others may read the comments of players (evaluations, lines) and what they send before their turn. Every output
// of a record asks here, because an opponent's program can read what spectators can. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/core/facts.h"

namespace fuhyo::core {

// The rule of its room, else that of the server.
bool comments_shown(Comments of_server, const GameOpened& opened, bool over);

// The record of a running game, as its watchers may read it at any moment: %%MONITOR2ON.
class RunningRecord {
 public:
  void add(const Fact& fact);

  const std::string& text(bool comments) const { return comments ? whole_ : plain_; }

 private:
  std::string whole_, plain_;
};

// A line that a player sent out of turn: the opponent would read from it what is going to be played.
bool is_deferred(const Fact& fact);

}  // namespace fuhyo::core
