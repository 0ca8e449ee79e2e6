// How networks number pieces: each physical piece of a set has a number that says where it is, as one side sees the
// board. 0 stands for a piece that is not there; 1..89 are pieces in hand (the second pawn in hand has a number of its
// own); 90..1547 pieces on the board; then the own king and the other one. Pure; any thread.
// Source: the numbering that networks of the field share (docs: engines/nnue/NETWORKS.md).
#pragma once

#include <array>
#include <cstdint>

#include "engines/shogi/types.h"

namespace fuhyo::nnue {

using Number = std::uint16_t;
constexpr Number kBoardNumbers = 90;          // the first of them
constexpr Number kOwnKing = 1548;             // + square
constexpr Number kOtherKing = kOwnKing + 81;  // + square
constexpr Number kNumbers = kOtherKing + 81;

// Who looks: Black, White, and both with left and right exchanged.
enum View : std::uint8_t { VIEW_BLACK, VIEW_WHITE, VIEW_BLACK_MIRRORED, VIEW_WHITE_MIRRORED };
constexpr int kViews = 4;
constexpr View view_of(shogi::Color side, bool mirrored) { return static_cast<View>(side + (mirrored ? 2 : 0)); }

// White turns the board by 180 degrees; file f becomes 10 - f in a mirror.
constexpr shogi::Square seen_by(View view, shogi::Square square) {
  const int turned = (view & 1) != 0 ? 80 - square : square;
  return static_cast<shogi::Square>((view & 2) != 0 ? (8 - turned / 9) * 9 + turned % 9 : turned);
}

namespace detail {
// Indexed by PieceType: the first number of the side's own pieces; the other side's follow 81 later on the board.
inline constexpr std::array<Number, 16> kBoardFirst = {0,    90,  252, 414, 576, 900,  1224, 738,
                                                       1548, 738, 738, 738, 738, 1062, 1386, 0};
inline constexpr std::array<std::array<Number, 8>, 2> kHandFirst = {
    {{0, 1, 39, 49, 59, 79, 85, 69}, {0, 20, 44, 54, 64, 82, 88, 74}}};
inline constexpr std::array<std::uint8_t, 8> kHandMost = {0, 18, 4, 4, 4, 2, 2, 4};
}  // namespace detail

// As Black sees it; piece must not be NO_PIECE.
constexpr Number board_number(shogi::Piece piece, shogi::Square square) {
  return static_cast<Number>(detail::kBoardFirst[shogi::type_of(piece)] + 81 * shogi::color_of(piece) + square);
}

// How many pieces of a kind in one hand have numbers: all that a set has.
constexpr int numbered_in_hand(shogi::PieceType type) { return detail::kHandMost[type]; }
// The nth piece of that kind in hand, as Black sees it: 1 <= nth <= numbered_in_hand().
constexpr Number hand_number(shogi::Color side, shogi::PieceType type, int nth) {
  return static_cast<Number>(detail::kHandFirst[side][type] + nth - 1);
}

namespace detail {
extern const std::array<std::array<Number, kNumbers>, kViews> kRenumbered;
}  // namespace detail

// What Black calls `number`, as the view calls it.
inline Number renumber(View view, Number number) { return detail::kRenumbered[view][number]; }

}  // namespace fuhyo::nnue
