// Who watches which game: %%SHOW, %%MONITORON and %%MONITOR2ON, what they hear as the game goes on, and games that are
// shown with a delay.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/games/table.h"
#include "server/core/monitors/delay_line.h"
#include "server/core/part.h"
#include "server/csa/format.h"

namespace fuhyo::core {

// A game that is shown with a delay, as far as it has been shown. It may be over, and its table gone.
struct DelayedGame {
  Game game;
  RunningRecord record;  // as of a Table
  Watchers watchers;
};

// What a watcher gets to see.
struct Scene {
  const Game& game;
  const RunningRecord& record;
  Watchers& watchers;
};

class Monitors : Part {
 public:
  explicit Monitors(const Parts& parts) : Part(parts), delays_(parts.context.rules.delays) {}

  void begin(const std::vector<Journaled>& of_running_games);
  void take();        // the fact that was just appended
  void delays_due();  // what may be seen by now is shown

  const DelayRules& delay_rules() const { return delays_.rules(); }
  const DelayedGame* find_delayed(GameId id) const;  // open, or over and not yet shown to the end
  std::optional<Scene> scene_of(const Session& s, std::string_view csa_id);  // as far as he may see it

  void show(Session& s, const csa::Show& c);
  void monitor(Session& s, const csa::Monitor& c);
  void stop_monitoring(Session& s);
  void show_line(Table& table, std::string_view line);  // "+7776FU,T3" to all who watch
  void show_comment(Table& table, const std::string& lines);
  void show_end(Table& table, const GameEnded& ended);

 private:
  csa::Shown shown(const Game& game, std::string last_move, std::int32_t plies) const;
  csa::Shown shown(const Game& game) const;
  void tell_line(const Scene& scene, std::string_view line);
  void tell_comment(const Scene& scene, const std::string& lines);
  void tell_end(const Scene& scene, const GameEnded& ended);
  void show_late(const std::vector<Journaled>& rows);
  void show_late(const Fact& fact);
  void arm_delays();

  DelayLine delays_;
  std::map<GameId, DelayedGame> delayed_games_;
};

}  // namespace fuhyo::core
