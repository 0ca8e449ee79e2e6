// A game with its players and watchers, as far as it has come.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "server/core/comments.h"
#include "server/core/games/game.h"
#include "server/core/games/turn_clock.h"
#include "server/core/sessions/session.h"
#include "server/core/tournaments/running_event.h"

namespace fuhyo::core {

// Who watches a game, of each kind in the order in which they asked.
struct Watchers {
  std::vector<ConnId> board;   // %%MONITORON: the board after each move
  std::vector<ConnId> record;  // %%MONITOR2ON: the lines of the record
};

struct Table {
  Game game;
  std::array<ConnId, 2> seats{};  // ConnId{}: the player is away
  std::array<bool, 2> agreed{};   // to begin, or to go on
  bool started = false;
  TurnClock turn;  // of the turn that is under way
  bool paused = false;
  bool suspended = false;       // the server had ended; no clock runs until both players are back
  bool awaits_verdict = false;  // ... which they may not before whoever runs the server says so
  // Of a player who has come back: moves that his summary knew, and seconds of the turn under way that its Total_Time
  // left out.
  std::array<std::size_t, 2> told_plies{};
  std::array<std::int32_t, 2> told_s{};
  // While set, a move of this game is on its way to the disk: no clock of it runs, and lines of both players wait.
  std::optional<Seq> pending;
  std::deque<Waiting> inbox;
  std::uint64_t read_pass = 0;  // token of the pass that was asked for at the deadline; 0: none
  RunningRecord record;         // what the record file holds behind its head
  std::uint64_t round = 0;      // of its floodgate group; 0: of none
  std::optional<EventGame> event;
  Watchers watchers;
};

}  // namespace fuhyo::core
