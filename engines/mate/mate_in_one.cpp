#include "engines/mate/mate_in_one.h"

namespace fuhyo::mate {
namespace {

using namespace shogi;

// Everything that the pieces of `set`, all of one side, attack by steps.
template <Color C>
Bitboard attacked_by_steps(const Position& p, Bitboard set) {
  const Bitboard silvers = set & p.pieces(SILVER), golds = set & p.golds(C);
  const Bitboard ahead = forward<C>(silvers | golds | (set & p.pieces(PAWN)));
  const Bitboard diagonal =
      forward<C>(silvers | golds | forward<C>(set & p.pieces(KNIGHT))) | golds | backward<C>(silvers);
  Bitboard attacked = ahead | backward<C>(golds) | to_higher_file(diagonal) | to_lower_file(diagonal);
  (set & (p.pieces(KING) | p.pieces(HORSE) | p.pieces(DRAGON))).for_each([&](Square s) {
    attacked |= king_attacks(s);
  });
  return attacked;
}

// ... and along lines.
template <Color C>
Bitboard attacked_by_lines(const Position& p, Bitboard set, Bitboard occupied) {
  Bitboard attacked;
  (set & p.pieces(LANCE)).for_each([&](Square s) { attacked |= lance_attacks(C, s, occupied); });
  (set & (p.pieces(BISHOP) | p.pieces(HORSE))).for_each([&](Square s) { attacked |= bishop_attacks(s, occupied); });
  (set & (p.pieces(ROOK) | p.pieces(DRAGON))).for_each([&](Square s) { attacked |= rook_attacks(s, occupied); });
  return attacked;
}

// One question about one position. A candidate must pass conditions that any mate fulfils, tested on sets for all
// candidates at once; the few that remain are then judged exactly.
template <Color Us>
class Finder {
 public:
  explicit Finder(const Position& position)
      : p_(position), king_(position.king_square(Them)), occupied_(position.occupied()) {}

  Move find() {
    if (king_ == SQ_NONE) return {};
    const Bitboard ours = p_.pieces(Us), theirs = p_.pieces(Them);
    // The king itself hides nothing from a slider: it cannot flee along the line of a check.
    const Bitboard no_king = occupied_ ^ Bitboard::of(king_);
    ring_ = king_attacks(king_);
    lines_ = attacked_by_lines<Us>(p_, ours, no_king);
    const Bitboard covered = lines_ | attacked_by_steps<Us>(p_, ours);
    flights_ = ring_ - theirs;
    open_ = flights_ - covered;
    const Bitboard near = (ring_ - ours) & covered;  // elsewhere the king takes the checking piece
    const Bitboard jumps = step_attacks(Them, KNIGHT, king_) - ours;
    if (near.none() && jumps.none()) return {};

    look_along_lines();
    const Bitboard guards = theirs - Bitboard::of(king_) - maybe_pinned_;
    guarded_ = attacked_by_steps<Them>(p_, guards) | attacked_by_lines<Them>(p_, guards, occupied_);
    const Bitboard empty = ~occupied_ - guarded_;
    if (by_drop(near & empty, jumps & empty)) return found_;
    const Bitboard places = uncovering_.any() ? near | jumps : (near | jumps) - guarded_;
    if (by_move(near & places, jumps & places)) return found_;
    return {};
  }

 private:
  static constexpr Color Them = ~Us;

  // Our sliders that look at the king, and who stands between.
  void look_along_lines() {
    snipers_ = p_.snipers(Us, king_);
    snipers_.for_each([&](Square sniper) {
      const Bitboard shield = between(king_, sniper) & occupied_;
      const Bitboard their_shield = shield & p_.pieces(Them), our_shield = shield & p_.pieces(Us);
      if (their_shield.more_than_one() || our_shield.more_than_one()) return;
      maybe_pinned_ |= their_shield;
      if (their_shield.none()) uncovering_ |= our_shield;
    });
  }

  bool by_drop(Bitboard near, Bitboard jumps) {
    const Hand hand = p_.hand(Us);
    if (hand.empty()) return false;
    const auto try_on = [&](PieceType type, Bitboard squares) {
      for (; squares.any(); squares ^= Bitboard::of(squares.first())) {
        found_ = Move::drop(type, squares.first());
        if (drop_mates(type, squares.first()) && (!p_.in_check() || p_.is_legal(found_))) return true;
      }
      return false;
    };
    const auto has = [&](PieceType type) { return hand.count(type) > 0; };
    if (has(ROOK) && try_on(ROOK, near & step_attacks(Us, HORSE, king_))) return true;
    if (has(LANCE) && !has(ROOK) && try_on(LANCE, near & step_attacks(Them, PAWN, king_))) return true;
    if (has(GOLD) && try_on(GOLD, near & step_attacks(Them, GOLD, king_))) return true;
    if (has(SILVER) && try_on(SILVER, near & step_attacks(Them, SILVER, king_))) return true;
    if (has(BISHOP) && try_on(BISHOP, near & step_attacks(Us, DRAGON, king_))) return true;
    return has(KNIGHT) && open_.none() && try_on(KNIGHT, jumps);
  }

  bool drop_mates(PieceType type, Square to) const {
    const Bitboard piece = Bitboard::of(to);
    const Bitboard after = occupied_ | piece, no_king = after ^ Bitboard::of(king_);
    const Bitboard hit = attacks(Us, type, to, no_king) | piece;
    if ((open_ - hit).any()) return false;
    if (takers(to, after, snipers_).any()) return false;
    if (!lines_.test(to)) return true;
    // The piece may stand in the way of a slider that covered a flight.
    for (Bitboard rest = flights_ - hit; rest.any(); rest ^= Bitboard::of(rest.first())) {
      if (p_.attackers(Us, rest.first(), no_king).none()) return false;
    }
    return true;
  }

  bool by_move(Bitboard near, Bitboard jumps) {
    for (; near.any(); near ^= Bitboard::of(near.first())) {
      const Square to = near.first();
      const Bitboard movers = p_.attackers(Us, to, occupied_) - p_.pieces(KING);
      for (Bitboard rest = movers; rest.any(); rest ^= Bitboard::of(rest.first())) {
        if (piece_mates(rest.first(), to)) return true;
      }
    }
    for (; jumps.any(); jumps ^= Bitboard::of(jumps.first())) {
      const Square to = jumps.first();
      for (Bitboard rest = step_attacks(Them, KNIGHT, to) & p_.pieces(Us, KNIGHT); rest.any();
           rest ^= Bitboard::of(rest.first())) {
        if (move_mates(rest.first(), to, KNIGHT, false)) return true;
      }
    }
    return false;
  }

  // A piece that comes next to the king, promoted or not. Whoever loses nothing by promoting promotes.
  bool piece_mates(Square from, Square to) {
    const PieceType type = type_of(p_.piece_on(from));
    const bool promotes = can_promote(type) && (in_promotion_zone(Us, from) || in_promotion_zone(Us, to));
    if (promotes && move_mates(from, to, promoted(type), true)) return true;
    if (type == KNIGHT || (promotes && type != SILVER && type != LANCE)) return false;
    return move_mates(from, to, type, false);
  }

  bool move_mates(Square from, Square to, PieceType type, bool promotes) {
    const Bitboard origin = Bitboard::of(from), piece = Bitboard::of(to);
    const bool uncovers = uncovering_.test(from) && !ray(direction(king_, from), king_).test(to);
    if (!uncovers && guarded_.test(to)) return false;
    const Bitboard after = (occupied_ ^ origin) | piece, no_king = after ^ Bitboard::of(king_);
    const Bitboard hit = attacks(Us, type, to, no_king);
    if (!hit.test(king_)) return false;
    const Bitboard left = flights_ - hit - piece;
    if ((left & open_).any() && !lines_.test(from)) return false;  // nobody stands behind it
    if (ring_.test(to) && (p_.attackers(Us, to, after) - origin).none()) return false;
    if (!uncovers && takers(to, after, snipers_ - origin).any()) return false;
    for (Bitboard rest = left; rest.any(); rest ^= Bitboard::of(rest.first())) {
      if ((p_.attackers(Us, rest.first(), no_king) - origin).none()) return false;
    }
    const Move move = Move::board(from, to, promotes);
    if ((p_.in_check() || p_.pinned().test(from)) && !p_.is_legal(move)) return false;
    found_ = move;
    return true;
  }

  // Who of theirs, other than the king, may take on `to` once the squares of `after` are occupied. A pinned piece
  // cannot: the line of its pin does not lead there, or the piece that checks would stand on it as a second shield.
  Bitboard takers(Square to, Bitboard after, Bitboard snipers) const {
    Bitboard found = p_.attackers(Them, to, after) - Bitboard::of(king_);
    if (found.none()) return found;
    snipers.for_each([&](Square sniper) {
      const Bitboard shield = between(king_, sniper) & after;
      if (!shield.more_than_one()) found -= shield;
    });
    return found;
  }

  const Position& p_;
  const Square king_;
  const Bitboard occupied_;
  Bitboard ring_;          // the squares around the king
  Bitboard lines_;         // what our sliders attack
  Bitboard flights_;       // where the king could go if nothing was attacked; squares of its own men are not there
  Bitboard open_;          // ... and which of them are not attacked
  Bitboard snipers_;       // our sliders on lines to the king, whatever stands between
  Bitboard uncovering_;    // our pieces that uncover a check when they leave their line
  Bitboard maybe_pinned_;  // theirs that shield the king, perhaps together with one of ours
  Bitboard guarded_;       // what their other pieces attack
  Move found_;
};

}  // namespace

Move mate_in_one(const Position& position) {
  return position.side_to_move() == BLACK ? Finder<BLACK>(position).find() : Finder<WHITE>(position).find();
}

}  // namespace fuhyo::mate
