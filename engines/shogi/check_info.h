// Tests which moves of a position give check; prepared once for many moves. Pure; any thread.
#pragma once

#include <array>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

class CheckInfo {
 public:
  explicit CheckInfo(const Position& position);

  // The same answer as position.gives_check(m); m must be legal there.
  bool gives_check(const Position& position, Move m) const {
    if (m.is_drop()) return squares_[m.dropped()].test(m.to());
    const PieceType type = type_of(position.piece_on(m.from()));
    if (squares_[m.is_promotion() ? promoted(type) : type].test(m.to())) return true;
    if (!shields_.test(m.from())) return false;
    return !ray(direction(king_, m.from()), king_).test(m.to());
  }
  // From where a piece of the type, of the side to move, attacks the opponent's king.
  Bitboard squares(PieceType type) const { return squares_[type]; }
  // Own pieces that alone stand between an own slider and the opponent's king.
  Bitboard shields() const { return shields_; }

 private:
  std::array<Bitboard, PIECE_TYPE_NB> squares_{};
  Bitboard shields_;
  Square king_ = SQ_NONE;
};

}  // namespace fuhyo::shogi
