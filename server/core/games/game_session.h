// A game that is played here: its state, its players, and the lines of them that wait.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "server/core/games/turn_clock.h"
#include "server/core/games/watched_game.h"
#include "server/core/sessions/session.h"
#include "server/core/tournaments/running_event.h"

namespace fuhyo::core {

struct GameSession : WatchedGame {
  std::array<ConnId, 2> seats{};  // ConnId{}: the player is away
  std::array<bool, 2> agreed{};   // to begin, or to go on
  TurnClock turn{};               // of the turn that is under way
  // Of a player who has come back: moves that his summary knew, and seconds of the turn under way that its Total_Time
  // left out.
  std::array<std::size_t, 2> told_plies{};
  std::array<std::int32_t, 2> told_s{};
  // While set, a move of this game is on its way to the disk: no clock of it runs, and lines of both players wait.
  std::optional<Seq> pending{};
  std::deque<GameInput> inbox{};
  std::uint64_t read_pass = 0;  // token of the pass that was asked for at the deadline; 0: none
  std::uint64_t round = 0;      // of its floodgate group; 0: of none
  std::optional<EventGame> event{};
};

}  // namespace fuhyo::core
