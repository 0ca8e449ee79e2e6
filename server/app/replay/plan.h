// What a recorded game asks of a server: the lines to send, and the end that the rules make of them. Pure functions.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "engines/record/game.h"

namespace fuhyo::app {

struct ReplayPlan {
  enum class Close : std::uint8_t {
    resign,        // the side to move sends %TORYO
    declare,       // the side to move sends %KACHI, and wins by it
    misdeclare,    // it sends %KACHI, and loses by it
    illegal_move,  // the last of `moves` is illegal
    repetition,    // the last of `moves` repeats a position for the fourth time
  };
  std::string start_sfen;                // empty: the normal start position
  std::vector<std::string> start_board;  // lines of CSA that say the same, for start_sfen: "P1-KY ...", "P+00KI", "-"
  bool white_first = false;
  std::vector<std::string> moves;  // "+7776FU", ..., in turn from there
  Close close = Close::resign;
  // Why the game cannot end as the record does: it goes on after the rules have ended it, or no rule decides its end.
  // Empty if the end is the record's own.
  std::string remark;

  // Moves that the server must accept.
  std::size_t legal_moves() const { return moves.size() - (close == Close::illegal_move ? 1 : 0); }
};

// Fails with the reason why the game cannot be played at all.
std::expected<ReplayPlan, std::string> plan_replay(const record::Game& game);

}  // namespace fuhyo::app
