// Who watches which game: %%SHOW, %%MONITORON and %%MONITOR2ON, what they hear as the game goes on, and games that are
// shown with a delay.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/games/watched_game.h"
#include "server/core/monitors/delay_line.h"
#include "server/core/part.h"
#include "server/core/sessions/session.h"
#include "server/csa/format.h"

namespace fuhyo::core {

class Monitors : Part {
 public:
  explicit Monitors(const Parts& parts) : Part(parts), delays_(parts.context.rules.delays) {}

  void begin(const std::vector<Journaled>& of_running_games);
  void take();        // the fact that was just appended
  void delays_due();  // what may be seen by now is shown

  const DelayRules& delay_rules() const { return delays_.rules(); }
  // A game that is shown with a delay, as far as it has been shown. The game may be over, and its session gone.
  const WatchedGame* find_delayed(GameId id) const;
  WatchedGame* seen_by(const Session& s, std::string_view csa_id);  // nullptr: he sees no such game

  void show(Session& s, const csa::Show& c);
  void monitor(Session& s, const csa::Monitor& c);
  void stop_monitoring(Session& s);
  // To all who watch the game; of one that is shown with a delay nobody watches the session itself.
  void show_line(const WatchedGame& story, std::string_view line);  // "+7776FU,T3"
  void show_comment(const WatchedGame& story, const Fact& fact);    // what the record of all says of it
  void show_end(const WatchedGame& story, const GameEnded& ended);

 private:
  csa::Shown shown(const Game& game, std::string last_move, std::int32_t plies) const;
  csa::Shown shown(const Game& game) const;
  void show_late(const std::vector<Journaled>& rows);
  void show_late(const Fact& fact);
  void arm_delays();

  DelayLine delays_;
  std::map<GameId, WatchedGame> delayed_games_;
};

}  // namespace fuhyo::core
