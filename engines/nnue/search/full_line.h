// Completes lines for analysis: continues a principal variation by the moves of the transposition table. One thread at
// a time.
#pragma once

#include <string_view>
#include <vector>

#include "engines/nnue/search/transposition_table.h"
#include "engines/shogi/path.h"
#include "engines/usi/game.h"

namespace fuhyo::nnue {

struct FullLine {
  std::vector<shogi::Move> moves;                   // all of them legal
  shogi::Recurrence end = shogi::Recurrence::none;  // of the last position, for the side to move
};

// `line`: legal moves from the end of the game. Ends where the table has no move, or at a repetition.
FullLine complete(const usi::Game& game, const std::vector<shogi::Move>& line, const TranspositionTable& table);

// "rep_draw", "rep_win" and so on, as YaneuraOu writes it; empty for none.
std::string_view to_text(shogi::Recurrence repetition);

}  // namespace fuhyo::nnue
