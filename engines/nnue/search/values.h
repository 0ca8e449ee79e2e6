// The scale of the search: evaluations, wins and losses in one integer. Pure; any thread.
//
//   |v| <= kMaxEvaluation    an evaluation; a pawn on the board is about 90
//   |v| near kRepetitionWin  the opponent has given perpetual check, or let a position come back with a worse hand
//   |v| >= kMateInMax        a mate (or a declaration): kMate - |v| plies away
#pragma once

#include <cstdlib>

#include "engines/shogi/exchange.h"
#include "engines/shogi/types.h"

namespace fuhyo::nnue {

constexpr int kMaxPly = 240;
constexpr int kInfinite = 32'500;
constexpr int kUnknown = 32'600;  // no value at all
constexpr int kMate = 32'000;
constexpr int kMateInMax = kMate - kMaxPly;
constexpr int kMaxEvaluation = 27'000;
constexpr int kRepetitionWin = 28'000;

constexpr int mate_in(int ply) { return kMate - ply; }
constexpr int mated_in(int ply) { return -kMate + ply; }
constexpr bool is_mate(int value) { return value >= kMateInMax || value <= -kMateInMax; }
constexpr bool is_win(int value) { return value > kMaxEvaluation; }
constexpr bool is_loss(int value) { return value < -kMaxEvaluation; }
constexpr bool is_decided(int value) { return is_win(value) || is_loss(value); }

// What pieces are worth on the board, in units of evaluation.
inline constexpr shogi::PieceValues kPieceValues = [] {
  shogi::PieceValues v{};
  v[shogi::PAWN] = 90;
  v[shogi::LANCE] = 315;
  v[shogi::KNIGHT] = 405;
  v[shogi::SILVER] = 495;
  v[shogi::GOLD] = 540;
  v[shogi::BISHOP] = 855;
  v[shogi::ROOK] = 990;
  for (const auto type : {shogi::PRO_PAWN, shogi::PRO_LANCE, shogi::PRO_KNIGHT, shogi::PRO_SILVER}) v[type] = 540;
  v[shogi::HORSE] = 945;
  v[shogi::DRAGON] = 1395;
  return v;
}();

}  // namespace fuhyo::nnue
