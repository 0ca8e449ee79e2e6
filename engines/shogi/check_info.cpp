#include "engines/shogi/check_info.h"

namespace fuhyo::shogi {

CheckInfo::CheckInfo(const Position& position) {
  const Color us = position.side_to_move(), them = ~us;
  king_ = position.king_square(them);
  if (king_ == SQ_NONE) return;
  const Bitboard occupied = position.occupied();
  // Looking back from the king: whence a piece of ours attacks it, a piece of theirs on its square would attack.
  const Bitboard gold = step_attacks(them, GOLD, king_);
  const Bitboard bishop = bishop_attacks(king_, occupied), rook = rook_attacks(king_, occupied);
  squares_[PAWN] = step_attacks(them, PAWN, king_);
  squares_[LANCE] = lance_attacks(them, king_, occupied);
  squares_[KNIGHT] = step_attacks(them, KNIGHT, king_);
  squares_[SILVER] = step_attacks(them, SILVER, king_);
  squares_[BISHOP] = bishop;
  squares_[ROOK] = rook;
  for (const PieceType type : {GOLD, PRO_PAWN, PRO_LANCE, PRO_KNIGHT, PRO_SILVER}) squares_[type] = gold;
  squares_[HORSE] = bishop | king_attacks(king_);
  squares_[DRAGON] = rook | king_attacks(king_);

  position.snipers(us, king_).for_each([&](Square sniper) {
    const Bitboard shield = between(king_, sniper) & occupied;
    if (shield.any() && !shield.more_than_one()) shields_ |= shield & position.pieces(us);
  });
}

}  // namespace fuhyo::shogi
