#include "engines/shogi/checks.h"

namespace fuhyo::shogi {
namespace {

template <Color Us>
class CheckGenerator {
 public:
  CheckGenerator(const Position& position, Move* out)
      : p_(position),
        out_(out),
        ours_(position.pieces(Us)),
        occupied_(position.occupied()),
        our_king_(position.king_square(Us)),
        king_(position.king_square(Them)) {}

  Move* run() {
    if (king_ == SQ_NONE) return out_;
    find_uncovering();
    king_moves();
    const Bitboard checkers = p_.checkers();
    if (checkers.more_than_one()) return out_;
    Bitboard empty = ~occupied_;
    area_ = ~ours_;
    if (checkers.any()) {
      empty = between(our_king_, checkers.first());
      area_ = empty | checkers;
    }
    // A pinned piece cannot answer a check.
    const Bitboard movers = (checkers.any() ? ours_ - p_.pinned() : ours_) - p_.pieces(KING);
    each_kind([&]<PieceType Type>() {
      const Bitboard set = movers & (Type == GOLD ? p_.golds(Us) : p_.pieces(Type));
      if (set.any()) board_moves<Type>(set);
    });
    drops(empty);
    return out_;
  }

 private:
  static constexpr Color Them = ~Us;
  static constexpr Bitboard kZone = kPromotionZone<Us>;

  template <class F>
  void each_kind(F f) {
    f.template operator()<PAWN>();
    f.template operator()<LANCE>();
    f.template operator()<KNIGHT>();
    f.template operator()<SILVER>();
    f.template operator()<GOLD>();
    f.template operator()<BISHOP>();
    f.template operator()<ROOK>();
    f.template operator()<HORSE>();
    f.template operator()<DRAGON>();
  }

  // Our pieces that alone stand between one of our sliders and their king.
  void find_uncovering() {
    p_.snipers(Us, king_).for_each([&](Square sniper) {
      const Bitboard shield = between(king_, sniper) & occupied_;
      if (!shield.more_than_one()) uncovering_ |= shield & ours_;
    });
  }

  // Off the line on which the piece hides a slider.
  Bitboard off_line(Square from, Bitboard to) const { return to - ray(direction(king_, from), king_); }
  // From where the piece attacks their king. The square that a mover leaves never opens a line of its own: on it, the
  // piece would have attacked the king before.
  Bitboard checking_squares(PieceType type) const { return attacks(Them, type, king_, occupied_); }

  void king_moves() {
    if (our_king_ == SQ_NONE || !uncovering_.test(our_king_)) return;
    const Bitboard to = off_line(our_king_, king_attacks(our_king_) - ours_);
    const Bitboard safe = to - p_.attacked(Them, occupied_ ^ Bitboard::of(our_king_));
    write(Move::board(our_king_, Square{}, false), safe);
  }

  template <PieceType Type>
  void board_moves(Bitboard set) {
    // Ranks where the piece would be stuck.
    constexpr Bitboard kStuck = kFarthestRanks < Us, Type == KNIGHT ? 2 : Type == PAWN || Type == LANCE ? 1 : 0 > ;
    const Bitboard plain = checking_squares(Type) - kStuck;
    const Bitboard promoted_squares = can_promote(Type) ? checking_squares(promoted(Type)) : Bitboard{};
    set.for_each([&](Square from) {
      // Of promoted small pieces, too, the steps are those of a gold.
      Bitboard to = attacks(Us, Type, from, occupied_) & area_;
      if (p_.pinned().test(from)) to &= ray(direction(our_king_, from), our_king_);
      const Bitboard uncovers = uncovering_.test(from) ? off_line(from, to) : Bitboard{};
      write(Move::board(from, Square{}, false), (to & plain) | (uncovers - kStuck));
      if constexpr (can_promote(Type)) {
        const Bitboard zone = kZone.test(from) ? to : to & kZone;
        write(Move::board(from, Square{}, true), zone & (promoted_squares | uncovers));
      }
    });
  }

  void drops(Bitboard empty) {
    const Hand hand = p_.hand(Us);
    if (hand.empty()) return;
    for (const PieceType type : {LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK}) {
      if (hand.count(type) > 0) write(Move::drop(type, Square{}), checking_squares(type) & empty);
    }
    const Bitboard head = checking_squares(PAWN) & empty;
    if (hand.count(PAWN) == 0 || head.none()) return;
    const bool two_pawns = (p_.pieces(Us, PAWN) & file_mask(file_of(head.first()))).any();
    if (!two_pawns && !p_.mates_by_pawn_drop(head.first())) write(Move::drop(PAWN, Square{}), head);
  }

  void write(Move base, Bitboard to) {
    to.for_each([&](Square s) { *out_++ = Move::from_bits(static_cast<std::uint16_t>(base.bits() | s)); });
  }

  const Position& p_;
  Move* out_;
  const Bitboard ours_, occupied_;
  const Square our_king_, king_;
  Bitboard area_;        // where board pieces may go
  Bitboard uncovering_;  // our pieces that uncover a check
};

}  // namespace

Move* generate_checks(const Position& position, Move* out) {
  return position.side_to_move() == BLACK ? CheckGenerator<BLACK>(position, out).run()
                                          : CheckGenerator<WHITE>(position, out).run();
}

bool declines_promotion(const Position& position, Move move) {
  if (move.is_drop() || move.is_promotion()) return false;
  const PieceType type = type_of(position.piece_on(move.from()));
  if (type != PAWN && type != BISHOP && type != ROOK) return false;
  const Color us = position.side_to_move();
  return in_promotion_zone(us, move.from()) || in_promotion_zone(us, move.to());
}

}  // namespace fuhyo::shogi
