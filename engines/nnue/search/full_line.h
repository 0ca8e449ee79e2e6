// Lines for people who analyse: continued beyond what the search handed up, by what the table knows. One thread at a
// time.
#pragma once

#include <string_view>
#include <vector>

#include "engines/nnue/search/transposition_table.h"
#include "engines/shogi/path.h"
#include "engines/usi/game.h"

namespace fuhyo::nnue {

struct FullLine {
  std::vector<shogi::Move> moves;  // all of them legal
  shogi::Recurrence end =
      shogi::Recurrence::none;  // what the position after the last one means, for who is to move there
};

// `line`: legal moves from the end of the game. Goes on until the table knows no more, or a position comes back.
FullLine complete(const usi::Game& game, const std::vector<shogi::Move>& line, const TranspositionTable& table);

// "rep_draw", "rep_win" and so on, as YaneuraOu writes it; empty for none.
std::string_view to_text(shogi::Recurrence repetition);

}  // namespace fuhyo::nnue
