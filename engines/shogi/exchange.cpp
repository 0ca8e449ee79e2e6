#include "engines/shogi/exchange.h"

namespace fuhyo::shogi {
namespace {

// In which order pieces take part, cheapest first. Promoted small pieces come before the gold: in hand they are less.
constexpr std::array<std::uint8_t, PIECE_TYPE_NB> kRank = [] {
  std::array<std::uint8_t, PIECE_TYPE_NB> rank{};
  std::uint8_t next = 0;
  for (const PieceType type : {PAWN, LANCE, KNIGHT, PRO_PAWN, PRO_LANCE, PRO_KNIGHT, SILVER, PRO_SILVER, GOLD, BISHOP,
                               ROOK, HORSE, DRAGON, KING}) {
    rank[type] = next++;
  }
  return rank;
}();

// Pieces of both sides that attack a square.
Bitboard all_attackers(const Position& p, Square s, Bitboard occupied) {
  Bitboard found = king_attacks(s) & (p.pieces(KING) | p.pieces(HORSE) | p.pieces(DRAGON));
  const Bitboard bishops = p.pieces(BISHOP) | p.pieces(HORSE), rooks = p.pieces(ROOK) | p.pieces(DRAGON);
  if ((diagonals(s) & bishops).any()) found |= bishop_attacks(s, occupied) & bishops;
  if ((straights(s) & (rooks | p.pieces(LANCE))).any()) {
    // A lance looks one way along its file only: those below the square are Black's.
    const Bitboard lances = (ray(DOWN, s) & p.pieces(BLACK, LANCE)) | (ray(UP, s) & p.pieces(WHITE, LANCE));
    found |= rook_attacks(s, occupied) & (rooks | lances);
  }
  for (const Color c : {BLACK, WHITE}) {
    // Who stands on the square looks back.
    found |= (step_attacks(~c, PAWN, s) & p.pieces(c, PAWN)) | (step_attacks(~c, KNIGHT, s) & p.pieces(c, KNIGHT)) |
             (step_attacks(~c, SILVER, s) & p.pieces(c, SILVER)) | (step_attacks(~c, GOLD, s) & p.golds(c));
  }
  return found;
}

class Exchange {
 public:
  Exchange(const Position& position, Square to, Bitboard occupied)
      : p_(position), to_(to), occupied_(occupied), attackers_(all_attackers(position, to, occupied)) {}

  // The cheapest piece of the side that can take, and lets it; NO_PIECE_TYPE if there is none.
  PieceType take(Color side) {
    Bitboard mine = attackers_ & occupied_ & p_.pieces(side);
    if (mine.none()) return NO_PIECE_TYPE;
    if (!knows_pinned_[side]) {
      pinned_[side] = pinned(side);
      knows_pinned_[side] = true;
    }
    mine -= pinned_[side];
    Square cheapest = SQ_NONE;
    PieceType type = KING;
    mine.for_each([&](Square from) {
      const PieceType other = type_of(p_.piece_on(from));
      if (cheapest != SQ_NONE && kRank[other] >= kRank[type]) return;
      cheapest = from;
      type = other;
    });
    if (cheapest == SQ_NONE) return NO_PIECE_TYPE;
    if (type != KING) leave(cheapest);
    return type;
  }
  bool attacked_by(Color side) const { return (attackers_ & occupied_ & p_.pieces(side)).any(); }

 private:
  // Pieces that alone shield their king, unless the square lies on the line of the pin.
  Bitboard pinned(Color side) const {
    Bitboard set;
    const Square king = p_.king_square(side);
    if (king == SQ_NONE) return set;
    (p_.snipers(~side, king) & occupied_).for_each([&](Square sniper) {
      const Bitboard shield = between(king, sniper) & occupied_;
      if (shield.any() && !shield.more_than_one() && !ray(direction(king, sniper), king).test(to_)) set |= shield;
    });
    return set;
  }

  // A piece has gone to the square: a slider that stood behind it sees the square now.
  void leave(Square from) {
    occupied_ ^= Bitboard::of(from);
    const Direction line = direction(to_, from);
    if (line == NO_DIRECTION) return;
    const Bitboard whole = ray(line, to_);
    const Bitboard seen = (line < UP ? cut_ascending(whole, occupied_) : cut_descending(whole, occupied_)) & occupied_;
    if (seen.none()) return;
    const Square behind = seen.first();
    const Piece piece = p_.piece_on(behind);
    if (attacks(color_of(piece), type_of(piece), behind, occupied_).test(to_)) attackers_ |= seen;
  }

  const Position& p_;
  Square to_;
  Bitboard occupied_, attackers_;
  std::array<Bitboard, COLOR_NB> pinned_;
  std::array<bool, COLOR_NB> knows_pinned_{};
};

}  // namespace

bool exchange_reaches(const Position& position, Move move, int threshold, const PieceValues& values) {
  const Square to = move.to();
  const Piece victim = position.piece_on(to);
  int won = (victim == NO_PIECE ? 0 : values[type_of(victim)]) - threshold;
  PieceType mover = move.is_drop() ? move.dropped() : type_of(position.piece_on(move.from()));
  if (move.is_promotion()) {
    won += values[promoted(mover)] - values[mover];
    mover = promoted(mover);
  }
  if (won < 0) return false;          // even if nobody takes back
  if (mover == KING) return true;     // nobody can
  int lacking = values[mover] - won;  // if it is lost
  if (lacking <= 0) return true;

  Bitboard occupied = position.occupied() | Bitboard::of(to);
  if (!move.is_drop()) occupied ^= Bitboard::of(move.from());
  Exchange exchange(position, to, occupied);
  Color side = position.side_to_move();
  bool reached = true;
  while (true) {
    side = ~side;
    const PieceType type = exchange.take(side);
    if (type == NO_PIECE_TYPE) return reached;
    reached = !reached;
    if (type == KING) return exchange.attacked_by(~side) ? !reached : reached;  // it cannot take what is covered
    // What the side is above its aim, should the piece that takes be lost; enough already means the other one gives up.
    lacking = values[type] - lacking;
    if (lacking < (reached ? 1 : 0)) return reached;
  }
}

}  // namespace fuhyo::shogi
