// The static evaluation. The search knows nothing else about what a position is worth: a network takes this place by
// replacing the one function below. Pure; any thread.
#pragma once

#include "engines/shogi/position.h"

namespace fuhyo::nnue {

// Worth of the position for the side to move, in centipawns, well inside (-kMaxEvaluation, kMaxEvaluation).
int evaluate(const shogi::Position& position);

// Worth of a piece, also for ordering captures. 0 for the king.
int piece_value(shogi::PieceType type);

constexpr int kMaxEvaluation = 25'000;

}  // namespace fuhyo::nnue
