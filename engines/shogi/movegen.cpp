#include "engines/shogi/movegen.h"

#include <cstring>

namespace fuhyo::shogi {
namespace {

// Eight moves side by side, in one register.
using Eight = std::uint16_t __attribute__((vector_size(16)));
static_assert(sizeof(Move) == sizeof(std::uint16_t));

// A sink takes the moves of one piece, or of one kind, as a set of destinations.

// Writes them down.
class Writer {
 public:
  explicit Writer(Move* out) : out_(out) {}
  Move* end() const { return out_; }

  void moves(Square from, Bitboard to) { write(Move::board(from, Square{}, false), to); }
  void promotions(Square from, Bitboard to) { write(Move::board(from, Square{}, true), to); }
  // Every destination has its origin one rank behind.
  template <Color C>
  void pawn_moves(Bitboard to, bool promote) {
    to.for_each([&](Square s) {
      const auto from = static_cast<Square>(C == BLACK ? s + 1 : s - 1);
      *out_++ = Move::board(from, s, promote);
    });
  }
  // The first `count` kinds, at least one, to every square of `to`.
  void drops(Eight kinds, std::size_t count, Bitboard to) {
    // All eight slots are written at once; the next square overwrites what is too much.
    to.for_each([&](Square s) {
      const Eight moves = kinds | static_cast<std::uint16_t>(s);
      std::memcpy(static_cast<void*>(out_), &moves, sizeof moves);
      out_ += count;
    });
  }

 private:
  void write(Move base, Bitboard to) {
    to.for_each([&](Square s) { *out_++ = Move::from_bits(static_cast<std::uint16_t>(base.bits() | s)); });
  }
  Move* out_;
};

// Only counts them.
class Counter {
 public:
  std::size_t count() const { return count_; }
  void moves(Square, Bitboard to) { add(to); }
  void promotions(Square, Bitboard to) { add(to); }
  template <Color C>
  void pawn_moves(Bitboard to, bool) {
    add(to);
  }
  void drops(Eight, std::size_t kinds, Bitboard to) { count_ += kinds * static_cast<std::size_t>(to.count()); }

 private:
  void add(Bitboard to) { count_ += static_cast<std::size_t>(to.count()); }
  std::size_t count_ = 0;
};

template <Color Us, GenKind Kind, class Sink>
class Generator {
 public:
  Generator(const Position& position, Sink& sink) : p_(position), sink_(sink), king_(position.king_square(Us)) {}

  void run() {
    Bitboard area = ~p_.pieces(Us);
    drop_area_ = ~p_.occupied();
    king_moves(area);
    const Bitboard checkers = p_.checkers();
    if (checkers.any()) {
      if (checkers.more_than_one()) return;
      drop_area_ = between(king_, checkers.first());
      area = drop_area_ | checkers;
    }
    area_ = wanted(area);
    const Bitboard pinned = p_.pinned();
    pawns(p_.pieces(Us, PAWN) - pinned, area);
    pieces(pinned);
    if (pinned.any() && checkers.none()) pinned_pieces(area);
    if (Kind != GenKind::CAPTURES && !p_.hand(Us).empty()) drops();
  }

 private:
  static constexpr Color Them = ~Us;
  static constexpr bool kPointlessToo = Kind == GenKind::LEGAL;
  static constexpr Bitboard kZone = kPromotionZone<Us>;

  Bitboard wanted(Bitboard to) const {
    if (Kind == GenKind::CAPTURES) return to & p_.pieces(Them);
    if (Kind == GenKind::QUIETS) return to - p_.pieces(Them);
    return to;
  }

  void king_moves(Bitboard area) {
    if (king_ == SQ_NONE) return;
    const Bitboard to = wanted(king_attacks(king_) & area);
    // Without the king, a slider that checks it also sees the square behind it.
    if (to.any()) sink_.moves(king_, to - p_.attacked(Them, p_.occupied() ^ Bitboard::of(king_)));
  }

  void pawns(Bitboard set, Bitboard area) {
    const Bitboard to = forward<Us>(set) & area;
    const Bitboard promoting = to & kZone;
    // A pawn that promotes is counted among the captures.
    if (Kind == GenKind::CAPTURES) {
      sink_.template pawn_moves<Us>(promoting, true);
      sink_.template pawn_moves<Us>((to - kZone) & p_.pieces(Them), false);
    } else if (Kind == GenKind::QUIETS) {
      sink_.template pawn_moves<Us>(to - kZone - p_.pieces(Them), false);
    } else {
      sink_.template pawn_moves<Us>(promoting, true);
      sink_.template pawn_moves<Us>(kPointlessToo ? to - kFarthestRanks<Us, 1> : to - kZone, false);
    }
  }

  template <PieceType Type>
  void one_piece(Square from, Bitboard to) {
    if constexpr (can_promote(Type)) {
      const Bitboard promoting = kZone.test(from) ? to : to & kZone;
      sink_.promotions(from, promoting);
      if constexpr (Type == BISHOP || Type == ROOK) {
        sink_.moves(from, kPointlessToo ? to : to - promoting);
      } else {
        // Ranks where the piece is stuck, or of no use.
        constexpr int kRanks = Type == KNIGHT || (Type == LANCE && !kPointlessToo) ? 2 : Type == LANCE ? 1 : 0;
        constexpr Bitboard kNever = kFarthestRanks<Us, kRanks>;
        sink_.moves(from, to - kNever);
      }
    } else {
      sink_.moves(from, to);
    }
  }

  void pieces(Bitboard pinned) {
    const Bitboard free = p_.pieces(Us) - pinned;
    const Bitboard occupied = p_.occupied();
    const auto each = [&]<PieceType Type>(Bitboard set) {
      (set & free).for_each([&](Square from) { one_piece<Type>(from, attacks(Us, Type, from, occupied) & area_); });
    };
    each.template operator()<LANCE>(p_.pieces(LANCE));
    each.template operator()<KNIGHT>(p_.pieces(KNIGHT));
    each.template operator()<SILVER>(p_.pieces(SILVER));
    each.template operator()<GOLD>(p_.golds(Us));
    each.template operator()<BISHOP>(p_.pieces(BISHOP));
    each.template operator()<ROOK>(p_.pieces(ROOK));
    each.template operator()<HORSE>(p_.pieces(HORSE));
    each.template operator()<DRAGON>(p_.pieces(DRAGON));
  }

  // A pinned piece may move along the line of its pin; it cannot answer a check.
  void pinned_pieces(Bitboard area) {
    p_.pinned().for_each([&](Square from) {
      const PieceType type = type_of(p_.piece_on(from));
      const Bitboard line = ray(direction(king_, from), king_);
      const Bitboard to = attacks(Us, type, from, p_.occupied()) & line & area_;
      switch (type) {
        case PAWN:
          return pawns(Bitboard::of(from), line & area);
        case LANCE:
          return one_piece<LANCE>(from, to);
        case SILVER:
          return one_piece<SILVER>(from, to);
        case BISHOP:
          return one_piece<BISHOP>(from, to);
        case ROOK:
          return one_piece<ROOK>(from, to);
        case KNIGHT:
          return;  // always leaves the line
        default:
          return one_piece<GOLD>(from, to);  // nothing to promote
      }
    });
  }

  void drops() {
    const Hand hand = p_.hand(Us);
    if (hand.count(PAWN) > 0) drop_pawns();
    // The kinds in this order: on the last rank only those before the lance can be dropped, on the one before also it.
    Eight kinds{};
    std::size_t count = 0;
    const auto add = [&](PieceType type) {
      kinds[count] = Move::drop(type, Square{}).bits();
      count += hand.count(type) > 0 ? 1 : 0;
    };
    for (const PieceType type : {SILVER, GOLD, BISHOP, ROOK}) add(type);
    const std::size_t anywhere = count;
    add(LANCE);
    const std::size_t with_lance = count;
    add(KNIGHT);
    if (count == 0) return;
    constexpr Bitboard kLast = kFarthestRanks<Us, 1>, kLastTwo = kFarthestRanks<Us, 2>;
    if (anywhere > 0) sink_.drops(kinds, anywhere, drop_area_ & kLast);
    if (with_lance > 0) sink_.drops(kinds, with_lance, drop_area_ & (kLastTwo - kLast));
    sink_.drops(kinds, count, drop_area_ - kLastTwo);
  }

  void drop_pawns() {
    Bitboard to = drop_area_ - kFarthestRanks<Us, 1> - whole_files(p_.pieces(Us, PAWN));
    const Square their_king = p_.king_square(Them);
    if (their_king != SQ_NONE) {
      const Bitboard head = step_attacks(Them, PAWN, their_king) & to;
      if (head.any() && p_.mates_by_pawn_drop(head.first())) to -= head;
    }
    sink_.drops(Eight{Move::drop(PAWN, Square{}).bits()}, 1, to);
  }

  const Position& p_;
  Sink& sink_;
  Square king_;
  Bitboard area_;  // where board pieces other than king and pawns may go
  Bitboard drop_area_;
};

template <GenKind Kind, class Sink>
void run(const Position& position, Sink& sink) {
  if (position.side_to_move() == BLACK) {
    Generator<BLACK, Kind, Sink>(position, sink).run();
  } else {
    Generator<WHITE, Kind, Sink>(position, sink).run();
  }
}

}  // namespace

template <GenKind Kind>
Move* generate(const Position& position, Move* out) {
  Writer writer(out);
  run<Kind>(position, writer);
  return writer.end();
}
template Move* generate<GenKind::LEGAL>(const Position&, Move*);
template Move* generate<GenKind::SEARCH>(const Position&, Move*);
template Move* generate<GenKind::CAPTURES>(const Position&, Move*);
template Move* generate<GenKind::QUIETS>(const Position&, Move*);

std::size_t count_legal_moves(const Position& position) {
  Counter counter;
  run<GenKind::LEGAL>(position, counter);
  return counter.count();
}

}  // namespace fuhyo::shogi
