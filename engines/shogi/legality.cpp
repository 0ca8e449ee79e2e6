// Whether a move is legal, tested rule by rule; and what it does to the opponent's king.

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

std::string_view to_string(Illegal why) {
  switch (why) {
    case Illegal::none:
      return "";
    case Illegal::no_piece:
      return "no such piece to move or to drop";
    case Illegal::occupied:
      return "the destination is occupied";
    case Illegal::unreachable:
      return "the piece does not move that way";
    case Illegal::cannot_promote:
      return "the piece cannot promote there";
    case Illegal::dead_end:
      return "the piece could never move again";
    case Illegal::two_pawns:
      return "two pawns on a file";
    case Illegal::king_in_check:
      return "the king is left in check";
    case Illegal::drop_pawn_mate:
      return "mate by dropping a pawn";
  }
  return "unknown";
}

namespace {

bool on_board(Square s) { return s >= 0 && s < SQUARE_NB; }

// A piece that could never move from there.
bool is_dead_end(Color c, PieceType type, Square s) {
  const int rank = relative_rank(c, s);
  return ((type == PAWN || type == LANCE) && rank == 1) || (type == KNIGHT && rank <= 2);
}

}  // namespace

Illegal Position::why_illegal(Move m) const { return m.is_drop() ? why_illegal_drop(m) : why_illegal_on_board(m); }

Illegal Position::why_illegal_drop(Move m) const {
  const Color us = side_to_move_;
  const PieceType type = m.dropped();
  const Square to = m.to();
  if (type < PAWN || type > GOLD || hands_[us].count(type) == 0) return Illegal::no_piece;
  if (!on_board(to)) return Illegal::unreachable;
  if (piece_on(to) != NO_PIECE) return Illegal::occupied;
  if (m.is_promotion()) return Illegal::cannot_promote;
  if (is_dead_end(us, type, to)) return Illegal::dead_end;
  if (type == PAWN && (pieces(us, PAWN) & file_mask(file_of(to))).any()) return Illegal::two_pawns;
  if (leaves_king_in_check(m)) return Illegal::king_in_check;
  const bool pawn_check = type == PAWN && (step_attacks(us, PAWN, to) & pieces(~us, KING)).any();
  return pawn_check && mates_by_pawn_drop(to) ? Illegal::drop_pawn_mate : Illegal::none;
}

Illegal Position::why_illegal_on_board(Move m) const {
  const Color us = side_to_move_;
  const Square from = m.from(), to = m.to();
  if (!on_board(from) || !pieces(us).test(from)) return Illegal::no_piece;
  if (!on_board(to)) return Illegal::unreachable;
  if (pieces(us).test(to)) return Illegal::occupied;
  const Piece piece = piece_on(from);
  if (!attacks(us, type_of(piece), from, occupied()).test(to)) return Illegal::unreachable;
  if (const Illegal why = why_illegal_promotion(piece, m); why != Illegal::none) return why;
  return leaves_king_in_check(m) ? Illegal::king_in_check : Illegal::none;
}

Illegal Position::why_illegal_promotion(Piece piece, Move m) const {
  const Color us = side_to_move_;
  const PieceType type = type_of(piece);
  if (!m.is_promotion()) return is_dead_end(us, type, m.to()) ? Illegal::dead_end : Illegal::none;
  const bool zone = in_promotion_zone(us, m.from()) || in_promotion_zone(us, m.to());
  return can_promote(type) && zone ? Illegal::none : Illegal::cannot_promote;
}

bool Position::leaves_king_in_check(Move m) const {
  const Color us = side_to_move_;
  const Square king = kings_[us], to = m.to();
  if (king == SQ_NONE) return false;
  if (!m.is_drop()) {
    if (m.from() == king) return attackers(~us, to, occupied() ^ Bitboard::of(king)).any();
    if (pinned_.test(m.from()) && !ray(direction(king, m.from()), king).test(to)) return true;
  }
  if (checkers_.none()) return false;
  if (checkers_.more_than_one()) return true;
  const bool resolves = (between(king, checkers_.first()) | checkers_).test(to);
  return !resolves;
}

bool Position::gives_check(Move m) const {
  const Color us = side_to_move_;
  const Square king = kings_[~us], to = m.to();
  if (king == SQ_NONE) return false;
  if (m.is_drop()) return attacks(us, m.dropped(), to, occupied()).test(king);

  const Square from = m.from();
  const PieceType type = type_of(piece_on(from));
  const Bitboard after = (occupied() ^ Bitboard::of(from)) | Bitboard::of(to);
  if (attacks(us, m.is_promotion() ? promoted(type) : type, to, after).test(king)) return true;
  if (direction(king, from) == NO_DIRECTION) return false;
  // The piece may have uncovered a slider behind it.
  return (attackers(us, king, after) - Bitboard::of(from) - Bitboard::of(to)).any();
}

bool Position::mates_by_pawn_drop(Square to) const {
  const Color us = side_to_move_, them = ~us;
  const Square king = kings_[them];
  const Bitboard pawn = Bitboard::of(to);
  const Bitboard after = occupied() | pawn;
  // Somebody else than the king may take the pawn, unless it is pinned. (It cannot do so along the line of its pin: on
  // that line the pawn would stand between it and the king, and there would be no pin.)
  Bitboard takers = attackers(them, to, after) - Bitboard::of(king);
  snipers(us, king).for_each([&](Square sniper) {
    const Bitboard shield = between(king, sniper) & after;
    if (!shield.more_than_one()) takers -= shield;
  });
  if (takers.any()) return false;
  const Bitboard flights = king_attacks(king) - pieces(them);
  return (flights - attacked(us, after)).none();  // nothing sees through the king, which was not in check
}

}  // namespace fuhyo::shogi
