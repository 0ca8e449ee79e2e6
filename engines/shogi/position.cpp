#include "engines/shogi/position.h"

#include "engines/shogi/zobrist.h"

namespace fuhyo::shogi {
Position::Position() : Position(*from_sfen(kStartSfen)) {}

Bitboard Position::attackers(Color by, Square s, Bitboard occupied) const {
  const Color from = ~by;  // who stands on s looks along the same lines backwards
  const Bitboard straight = pieces(ROOK) | pieces(DRAGON);
  const Bitboard diagonal = pieces(BISHOP) | pieces(HORSE);
  const Bitboard around = pieces(KING) | pieces(HORSE) | pieces(DRAGON);
  const Bitboard found = (step_attacks(from, PAWN, s) & pieces(PAWN)) |
                         (step_attacks(from, KNIGHT, s) & pieces(KNIGHT)) |
                         (step_attacks(from, SILVER, s) & pieces(SILVER)) | (step_attacks(from, GOLD, s) & golds_) |
                         (king_attacks(s) & around) | (lance_attacks(from, s, occupied) & pieces(LANCE)) |
                         (bishop_attacks(s, occupied) & diagonal) | (rook_attacks(s, occupied) & straight);
  return found & pieces(by);
}

// The steps of all pieces of a kind at once, by shifting whole sets; sliders one by one.
template <Color C>
Bitboard Position::attacked(Bitboard occupied) const {
  const Bitboard silvers = pieces(C, SILVER), gold = golds(C), knights = pieces(C, KNIGHT);
  const Bitboard ahead = forward<C>(silvers | gold | pieces(C, PAWN));
  const Bitboard diagonal = forward<C>(silvers | gold | forward<C>(knights)) | gold | backward<C>(silvers);
  Bitboard set = ahead | backward<C>(gold) | to_higher_file(diagonal) | to_lower_file(diagonal);
  if (kings_[C] != SQ_NONE) set |= king_attacks(kings_[C]);
  pieces(C, LANCE).for_each([&](Square s) { set |= lance_attacks(C, s, occupied); });
  (pieces(C) & (pieces(BISHOP) | pieces(HORSE))).for_each([&](Square s) { set |= bishop_attacks(s, occupied); });
  (pieces(C) & (pieces(ROOK) | pieces(DRAGON))).for_each([&](Square s) { set |= rook_attacks(s, occupied); });
  (pieces(C) & (pieces(HORSE) | pieces(DRAGON))).for_each([&](Square s) { set |= king_attacks(s); });
  return set;
}

Bitboard Position::attacked(Color by, Bitboard occupied) const {
  return by == BLACK ? attacked<BLACK>(occupied) : attacked<WHITE>(occupied);
}

// Checkers and pins of `Us`, to move. Sliders that look at the king are sorted by what stands in between: nothing, they
// check; one own piece, it is pinned. Steps can only give check from the square that was moved to.
template <Color Us>
inline void Position::update_checks(Bitboard step_checkers) {
  checkers_ = step_checkers;
  pinned_ = {};
  const Square king = kings_[Us];
  if (king == SQ_NONE) return;
  const Bitboard occupied = this->occupied();
  snipers(~Us, king).for_each([&](Square sniper) {
    const Bitboard shield = between(king, sniper) & occupied;
    if (shield.none()) {
      checkers_ |= Bitboard::of(sniper);
    } else if (!shield.more_than_one()) {
      pinned_ |= shield & pieces(Us);
    }
  });
}

void Position::set_up_checks() {
  const Color us = side_to_move_;
  const Square king = kings_[us];
  const Bitboard found = king == SQ_NONE ? Bitboard{} : attackers(~us, king, occupied());
  us == BLACK ? update_checks<BLACK>(found) : update_checks<WHITE>(found);
}

template <Color Us>
inline void Position::capture(Piece captured, Square s) {
  const PieceType won = unpromoted(type_of(captured));
  flip(captured, Bitboard::of(s));
  board_key_ ^= detail::kZobrist.on(captured, s);
  hands_[Us].add(won);
  hand_key_ += detail::kZobrist.hand[Us][won];
}

template <Color Us>
inline void Position::do_move(Move m, Undo& undo) {
  const detail::Zobrist& zobrist = detail::kZobrist;
  const Square to = m.to();
  Piece piece;
  if (m.is_drop()) {
    piece = make_piece(Us, m.dropped());
    hands_[Us].remove(m.dropped());
    hand_key_ -= zobrist.hand[Us][m.dropped()];
  } else {
    const Square from = m.from();
    const Piece moved = piece_on(from);
    undo.captured = piece_on(to);
    if (undo.captured != NO_PIECE) capture<Us>(undo.captured, to);
    take(moved, from);
    board_key_ ^= zobrist.on(moved, from);
    piece = m.is_promotion() ? static_cast<Piece>(moved + 8) : moved;
    if (type_of(piece) == KING) kings_[Us] = to;
  }
  put(piece, to);
  board_key_ ^= zobrist.on(piece, to) ^ zobrist.white_to_move;
  side_to_move_ = ~Us;
  ++ply_;
  const bool steps_on_king = (step_attacks(Us, type_of(piece), to) & pieces(~Us, KING)).any();
  update_checks<~Us>(steps_on_king ? Bitboard::of(to) : Bitboard{});
}

Position::Undo Position::do_move(Move m) {
  Undo undo{checkers_, pinned_, board_key_, hand_key_, NO_PIECE};
  side_to_move_ == BLACK ? do_move<BLACK>(m, undo) : do_move<WHITE>(m, undo);
  return undo;
}

template <Color Us>
inline void Position::undo_move(Move m, Piece captured) {
  const Square to = m.to();
  const Piece piece = piece_on(to);
  take(piece, to);
  if (m.is_drop()) {
    hands_[Us].add(m.dropped());
    return;
  }
  const Piece moved = m.is_promotion() ? static_cast<Piece>(piece - 8) : piece;
  put(moved, m.from());
  if (type_of(moved) == KING) kings_[Us] = m.from();
  if (captured == NO_PIECE) return;
  put(captured, to);
  hands_[Us].remove(unpromoted(type_of(captured)));
}

void Position::undo_move(Move m, const Undo& undo) {
  side_to_move_ = ~side_to_move_;
  --ply_;
  side_to_move_ == BLACK ? undo_move<BLACK>(m, undo.captured) : undo_move<WHITE>(m, undo.captured);
  checkers_ = undo.checkers;
  pinned_ = undo.pinned;
  board_key_ = undo.board_key;
  hand_key_ = undo.hand_key;
}

Key Position::key_after(Move m) const {
  const detail::Zobrist& zobrist = detail::kZobrist;
  const Color us = side_to_move_;
  const Square to = m.to();
  Key board = board_key_ ^ zobrist.white_to_move;
  if (m.is_drop()) {
    return (board ^ zobrist.on(make_piece(us, m.dropped()), to)) ^ (hand_key_ - zobrist.hand[us][m.dropped()]);
  }
  const Piece moved = piece_on(m.from()), captured = piece_on(to);
  board ^= zobrist.on(moved, m.from()) ^ zobrist.on(m.is_promotion() ? static_cast<Piece>(moved + 8) : moved, to);
  if (captured == NO_PIECE) return board ^ hand_key_;
  return (board ^ zobrist.on(captured, to)) ^ (hand_key_ + zobrist.hand[us][unpromoted(type_of(captured))]);
}

Position::Undo Position::do_null_move() {
  const Undo undo{checkers_, pinned_, board_key_, hand_key_, NO_PIECE};
  side_to_move_ = ~side_to_move_;
  board_key_ ^= detail::kZobrist.white_to_move;
  ++ply_;
  set_up_checks();
  return undo;
}

void Position::undo_null_move(const Undo& undo) {
  side_to_move_ = ~side_to_move_;
  --ply_;
  checkers_ = undo.checkers;
  pinned_ = undo.pinned;
  board_key_ = undo.board_key;
}

bool Position::same_as(const Position& other) const {
  return side_to_move_ == other.side_to_move_ && hands_ == other.hands_ && board_ == other.board_;
}

}  // namespace fuhyo::shogi
