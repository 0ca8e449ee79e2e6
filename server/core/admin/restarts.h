// Games that go on from one of their moves: a new game of the same players, whose first moves and clocks are those of
// the old one. Players in CSA mode were disconnected when the old game ended; the new one waits until both are back.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/games/game_session.h"
#include "server/core/part.h"

namespace fuhyo::core {

// A game that goes on from one of its moves as soon as both its players are there.
struct Restart {
  GameOpened opened;  // as it will be opened, but for its number and times
  Instant since;
  std::optional<EventGame> event = {};
};

// A game that is over, as far as it can be restarted.
struct RecentGame {
  GameOpened opened;
  std::vector<std::string> moves;
  std::optional<EventGame> event = {};
};

class Restarts : Part {
 public:
  explicit Restarts(const Parts& parts) : Part(parts) {}

  void remember(const GameSession& session);                        // it can be restarted from a move
  const std::deque<RecentGame>& recent() const { return recent_; }  // the newest last
  void forget_event(std::string_view event);  // its games are none of a later event of the same name

  const std::deque<Restart>& all() const { return restarts_; }
  bool awaits_restart(const Session& s) const;
  void add(Restart restart, GameId former);
  void begin_restarts();

 private:
  std::deque<Restart> restarts_;
  std::deque<RecentGame> recent_;
};

}  // namespace fuhyo::core
