// The untrained network, from which training starts: a K-P 256x2-32-32 network whose weights are computed from piece
// values and piece-square values. Pure; any thread.
#pragma once

#include <string>

#include "engines/shogi/types.h"

namespace fuhyo::nnue {

// The bytes of the file.
std::string untrained_network();

// What the network says of a position for the side to move, unless it is beyond kUntrainedMost: the sum of these over
// its own pieces less the sum over the other side's. A pawn is 90, and FV_SCALE is 16.
// `square` as its owner sees it.
int untrained_worth(shogi::PieceType type, shogi::Square square);
int untrained_worth_in_hand(shogi::PieceType type);

// The largest difference of worth that it tells from a larger one; it is exact up to kUntrainedExact.
constexpr int kUntrainedExact = 8 * 127;
constexpr int kUntrainedMost = kUntrainedExact + 8 * 4 * 127;

}  // namespace fuhyo::nnue
