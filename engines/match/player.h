// Who plays a side of a game: an engine in a process of its own (usi_player.h), or one of the simple ones that are
// built in (simple_players.h). Blocking; one thread at a time per object.
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

// What a player is asked. Both forms of the game are the same one; a player takes which it likes.
struct Question {
  const std::string& line;  // "position ... moves ..."
  const shogi::Position& position;
  usi::GoLimits limits;
  std::int64_t patience_us;  // no answer by then: it hangs
  std::stop_token stop{};    // requested: the answer is not wanted any more, and any Fault will do
};

struct Answer {
  usi::BestMove best;
  Thought thought;  // its move is that of `best`
};

// Why a player is out of the game: Ending::crashed, hung or illegal_move (its answer is none), and in words.
struct Fault {
  Ending ending;
  std::string why;
};

struct GameOptions {
  std::int64_t number = 0;  // of the game: whoever draws lots draws the same ones for the same number
  int move_limit = 0;       // plies; 0: none
  std::stop_token stop{};   // as in Question
};

class Player {
 public:
  virtual ~Player() = default;

  virtual std::string name() const = 0;
  // Starts it first, if it does not run. One that has ended since the last game has crashed, and is started next time.
  virtual std::expected<void, Fault> new_game(const GameOptions& options) = 0;
  virtual std::expected<Answer, Fault> think(const Question& question) = 0;
  // The opponent is asked next, after the answer `own` to `line`: time to ponder, for who does. `limits`: as they would
  // be for the move after the expected one.
  virtual void wait(const std::string& line, const Answer& own, const usi::GoLimits& limits) = 0;
  // "win", "lose", "draw": seen from this player.
  virtual void game_over(std::string_view result) = 0;
};

}  // namespace fuhyo::match
