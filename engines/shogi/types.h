// The vocabulary of the game: colours, squares, pieces, hands and moves.
// Plain values without behaviour beyond their own encoding; usable from any thread.
#pragma once

#include <compare>
#include <cstdint>

namespace fuhyo::shogi {

enum Color : std::uint8_t { BLACK, WHITE };  // sente (moves first, "+" in CSA), gote
constexpr int COLOR_NB = 2;
constexpr Color operator~(Color c) { return static_cast<Color>(c ^ 1); }

// Squares run down the files: 1a = 0, 1b = 1, ..., 1i = 8, 2a = 9, ..., 9i = 80.
enum Square : std::int8_t { SQ_NONE = 81 };
constexpr int SQUARE_NB = 81;
// File 1..9 (right to left from Black's seat) and rank 1..9 (top to bottom), as in every shogi notation.
constexpr Square make_square(int file, int rank) { return static_cast<Square>((file - 1) * 9 + (rank - 1)); }
constexpr int file_of(Square s) { return s / 9 + 1; }
constexpr int rank_of(Square s) { return s % 9 + 1; }
// The rank as the given side counts it: 1 is its farthest rank, 9 its own back rank.
constexpr int relative_rank(Color c, Square s) { return c == BLACK ? rank_of(s) : 10 - rank_of(s); }
constexpr bool in_promotion_zone(Color c, Square s) { return relative_rank(c, s) <= 3; }

// Promotion adds 8. GOLD and KING have no promoted form.
enum PieceType : std::uint8_t {
  NO_PIECE_TYPE,
  PAWN,
  LANCE,
  KNIGHT,
  SILVER,
  BISHOP,
  ROOK,
  GOLD,
  KING,
  PRO_PAWN,
  PRO_LANCE,
  PRO_KNIGHT,
  PRO_SILVER,
  HORSE,
  DRAGON,
  PIECE_TYPE_NB
};
constexpr bool is_promoted(PieceType t) { return t > KING; }
constexpr bool can_promote(PieceType t) { return t >= PAWN && t <= ROOK; }
constexpr PieceType promoted(PieceType t) { return static_cast<PieceType>(t + 8); }
constexpr PieceType unpromoted(PieceType t) { return t > KING ? static_cast<PieceType>(t - 8) : t; }

// A piece is its type, plus 16 for White.
enum Piece : std::uint8_t { NO_PIECE = 0, PIECE_NB = 32 };
constexpr Piece make_piece(Color c, PieceType t) { return static_cast<Piece>(t | (c << 4)); }
constexpr PieceType type_of(Piece p) { return static_cast<PieceType>(p & 15); }
constexpr Color color_of(Piece p) { return static_cast<Color>(p >> 4); }  // p must not be NO_PIECE

// The seven kinds that can be held in hand are PAWN..GOLD; one byte each is enough (at most 18).
class Hand {
 public:
  constexpr int count(PieceType t) const { return static_cast<int>((bits_ >> shift(t)) & 0xff); }
  constexpr void add(PieceType t, int n = 1) { bits_ += static_cast<std::uint64_t>(n) << shift(t); }
  constexpr void remove(PieceType t, int n = 1) { bits_ -= static_cast<std::uint64_t>(n) << shift(t); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool operator==(const Hand&) const = default;

 private:
  static constexpr int shift(PieceType t) { return 8 * t; }
  std::uint64_t bits_ = 0;
};

// A move in 16 bits: bits 0-6 destination; bits 7-13 origin, or the dropped kind; bit 14 drop; bit 15 promotion.
// Whether it makes sense in a position is Position's to say.
class Move {
 public:
  constexpr Move() = default;
  static constexpr Move board(Square from, Square to, bool promote) {
    return Move(static_cast<std::uint16_t>(to | (from << 7) | (promote ? 1 << 15 : 0)));
  }
  static constexpr Move drop(PieceType t, Square to) {
    return Move(static_cast<std::uint16_t>(to | (t << 7) | (1 << 14)));
  }
  static constexpr Move from_bits(std::uint16_t bits) { return Move(bits); }

  constexpr Square to() const { return static_cast<Square>(bits_ & 0x7f); }
  constexpr Square from() const { return static_cast<Square>((bits_ >> 7) & 0x7f); }           // not for drops
  constexpr PieceType dropped() const { return static_cast<PieceType>((bits_ >> 7) & 0x7f); }  // for drops only
  constexpr bool is_drop() const { return (bits_ & (1 << 14)) != 0; }
  constexpr bool is_promotion() const { return (bits_ & (1 << 15)) != 0; }
  constexpr std::uint16_t bits() const { return bits_; }
  constexpr explicit operator bool() const { return bits_ != 0; }  // the null move 1a -> 1a is no move
  constexpr auto operator<=>(const Move&) const = default;

 private:
  constexpr explicit Move(std::uint16_t bits) : bits_(bits) {}
  std::uint16_t bits_ = 0;
};

using Key = std::uint64_t;

// Room for the legal moves of any position of one set. The most known are 593, and 597 without kings. 599 is a bound:
// of the 531 drops on an empty board, each piece that stands on it costs those on its square and adds its moves, at
// best 28 for a rook, 17 for a bishop, 3 for each of three lances, 4 for each of three silvers and 2 for the king; the
// last piece of a kind must stay in hand. The rest is for generate(), which writes eight at a time.
constexpr int MAX_LEGAL_MOVES = 608;

}  // namespace fuhyo::shogi
