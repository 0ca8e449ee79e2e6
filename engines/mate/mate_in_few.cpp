#include "engines/mate/mate_in_few.h"

#include "engines/mate/mate_in_one.h"
#include "engines/shogi/checks.h"

namespace fuhyo::mate {
namespace {

using namespace shogi;

class Attempt {
 public:
  Attempt(Position& position, int budget) : p_(position), budget_(budget) {}

  Move attack(int plies) {
    if (const Move move = mate_in_one(p_)) return move;
    if (plies <= 1 || budget_ <= 0) return {};
    --budget_;
    Move checks[MAX_LEGAL_MOVES];
    const Move* const end = generate_checks(p_, checks);
    for (const Move* m = checks; m != end && budget_ > 0; ++m) {
      if (is_pointless(*m)) continue;
      const Position::Undo undo = p_.do_move(*m);
      const bool mates = every_defence_fails(plies - 1);
      p_.undo_move(*m, undo);
      if (mates) return *m;
    }
    return {};
  }

 private:
  // Of these the promotion does the same and more, except where dropping a pawn would then mate: too rare for a leaf.
  bool is_pointless(Move move) const {
    if (move.is_drop() || move.is_promotion()) return false;
    const PieceType type = type_of(p_.piece_on(move.from()));
    if (type != PAWN && type != BISHOP && type != ROOK) return false;
    const Color us = p_.side_to_move();
    return in_promotion_zone(us, move.from()) || in_promotion_zone(us, move.to());
  }

  bool every_defence_fails(int plies) {
    for (const Move move : MoveList<GenKind::LEGAL>(p_)) {
      const Position::Undo undo = p_.do_move(move);
      const bool fails = static_cast<bool>(attack(plies - 1));
      p_.undo_move(move, undo);
      if (!fails) return false;
    }
    return true;
  }

  Position& p_;
  int budget_;
};

}  // namespace

Move mate_in_few(Position& position, int plies, int positions) { return Attempt(position, positions).attack(plies); }

}  // namespace fuhyo::mate
