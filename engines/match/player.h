// One side of a game: an engine in a process (usi_player.h), or a built-in player (simple_players.h). Blocking; one
// thread at a time per object.
#pragma once

#include <cstdint>
#include <expected>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/match/game.h"
#include "engines/shogi/position.h"
#include "engines/usi/values.h"

namespace fuhyo::match {

// A request for a move. `line` and `position` say the same; a player reads either.
struct SearchRequest {
  const std::string& line;  // "position ... moves ..."
  const shogi::Position& position;
  usi::GoLimits limits;
  std::int64_t patience_us;  // without a reply for so long, the player counts as hung
  std::stop_token stop{};    // once requested, the reply is not used; any Fault may be returned
};

struct SearchReply {
  usi::BestMove best;
  MoveData data;  // its move is that of `best`
};

// A failure of a player: Ending::crashed, hung or illegal_move (no reply in USI), and the reason in words.
struct Fault {
  Ending ending;
  std::string why;
};

struct GameOptions {
  std::int64_t number = 0;  // of the game; seeds the random numbers of built-in players
  int move_limit = 0;       // plies; 0: none
  std::stop_token stop{};   // as in SearchRequest
};

class Player {
 public:
  virtual ~Player() = default;

  virtual std::string name() const = 0;
  // Starts the process if it does not run. A process that has ended since the last game is reported as crashed, and
  // started by the next call.
  virtual std::expected<void, Fault> new_game(const GameOptions& options) = 0;
  virtual std::expected<SearchReply, Fault> think(const SearchRequest& request) = 0;
  // The opponent thinks now, after the reply `own` to `line`; an engine with ponder set searches meanwhile. `limits`:
  // those of the move after the expected one.
  virtual void ponder(const std::string& line, const SearchReply& own, const usi::GoLimits& limits) = 0;
  // "win", "lose", "draw": seen from this player.
  virtual void game_over(std::string_view result) = 0;
};

}  // namespace fuhyo::match
