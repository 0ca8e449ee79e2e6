#include "engines/nnue/evaluate.h"

#include <array>
#include <cstdlib>

namespace fuhyo::nnue {
namespace {

using shogi::Color;
using shogi::PieceType;
using shogi::Square;

// Indexed by PieceType: none, P, L, N, S, B, R, G, K, then the promoted ones.
constexpr std::array<int, shogi::PIECE_TYPE_NB> kValue = {0, 90,  315, 405, 495, 855, 990, 540,
                                                          0, 540, 540, 540, 540, 945, 1395};
// A piece in hand can appear anywhere: a little more than on the board.
constexpr std::array<int, 8> kHandValue = {0, 100, 340, 430, 530, 920, 1060, 580};

int distance(Square a, Square b) {
  const int files = std::abs(shogi::file_of(a) - shogi::file_of(b));
  const int ranks = std::abs(shogi::rank_of(a) - shogi::rank_of(b));
  return files > ranks ? files : ranks;
}

// Small reasons to prefer one quiet move to another: guards near the own king, attackers near the other one, pawns that
// advance.
int placement(Color color, PieceType type, Square at, Square own_king, Square their_king) {
  int value = type == shogi::PAWN ? 2 * (7 - shogi::relative_rank(color, at)) : 0;
  const bool guard = type == shogi::GOLD || type == shogi::SILVER;
  if (guard && own_king != shogi::SQ_NONE) value += 6 * (3 - distance(at, own_king));
  if (type != shogi::PAWN && their_king != shogi::SQ_NONE) value += 3 * (4 - distance(at, their_king));
  return value;
}

int king_shelter(Color color, Square king) {
  if (king == shogi::SQ_NONE) return 0;
  const int from_centre = std::abs(shogi::file_of(king) - 5);
  return 8 * from_centre + 6 * (shogi::relative_rank(color, king) - 7);
}

int side_value(const shogi::Position& position, Color color) {
  int value = king_shelter(color, position.king_square(color));
  const shogi::Hand hand = position.hand(color);
  for (int type = shogi::PAWN; type <= shogi::GOLD; ++type) {
    value += hand.count(static_cast<PieceType>(type)) * kHandValue[static_cast<std::size_t>(type)];
  }
  return value;
}

}  // namespace

int piece_value(PieceType type) { return kValue[type]; }

int evaluate(const shogi::Position& position) {
  std::array<int, 2> value = {side_value(position, shogi::BLACK), side_value(position, shogi::WHITE)};
  for (int index = 0; index < shogi::SQUARE_NB; ++index) {
    const auto square = static_cast<Square>(index);
    const shogi::Piece piece = position.piece_on(square);
    if (piece == shogi::NO_PIECE) continue;
    const Color color = shogi::color_of(piece);
    const PieceType type = shogi::type_of(piece);
    value[color] += kValue[type];
    if (type != shogi::KING) {
      value[color] += placement(color, type, square, position.king_square(color), position.king_square(~color));
    }
  }
  const Color us = position.side_to_move();
  return value[us] - value[~us];
}

}  // namespace fuhyo::nnue
