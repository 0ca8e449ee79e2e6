// Where pieces attack: tables for steps, and rays cut at the first piece in the way for the sliders.
// Pure functions over constant tables; usable from any thread.
#pragma once

#include <array>

#include "engines/shogi/bitboard.h"

namespace fuhyo::shogi {

// The eight directions; the first four lead to higher squares, the last four are their opposites in the same order.
enum Direction : std::uint8_t {
  DOWN,     // towards rank 9
  LEFT_UP,  // towards file 9 and rank 1
  LEFT,     // towards file 9
  LEFT_DOWN,
  UP,
  RIGHT_DOWN,
  RIGHT,
  RIGHT_UP,
  DIRECTION_NB,
  NO_DIRECTION = DIRECTION_NB
};
constexpr Direction opposite(Direction d) { return static_cast<Direction>(d ^ 4); }

namespace detail {

// What a piece type has of steps; GOLD stands for the promoted small pieces too.
enum Steps : std::uint8_t {
  NO_STEPS,
  PAWN_STEPS,
  KNIGHT_STEPS,
  SILVER_STEPS,
  GOLD_STEPS,
  KING_STEPS,
  STRAIGHT_STEPS,
  DIAGONAL_STEPS,
  STEPS_NB
};
inline constexpr std::array<Steps, PIECE_TYPE_NB> kStepsOf = {
    NO_STEPS,   PAWN_STEPS, NO_STEPS,   KNIGHT_STEPS, SILVER_STEPS, NO_STEPS,       NO_STEPS,      GOLD_STEPS,
    KING_STEPS, GOLD_STEPS, GOLD_STEPS, GOLD_STEPS,   GOLD_STEPS,   STRAIGHT_STEPS, DIAGONAL_STEPS};

struct AttackTables {
  std::array<std::array<std::array<Bitboard, SQUARE_NB>, STEPS_NB>, COLOR_NB> steps{};
  std::array<std::array<Bitboard, SQUARE_NB>, DIRECTION_NB + 1> rays{};  // the last one is empty
  std::array<std::array<Direction, SQUARE_NB>, SQUARE_NB> directions{};
};
extern const AttackTables kAttacks;

}  // namespace detail

// The squares that a piece steps to. Of a slider only its steps: horse and dragon have some, the others none.
inline Bitboard step_attacks(Color c, PieceType type, Square from) {
  return detail::kAttacks.steps[c][detail::kStepsOf[type]][static_cast<std::size_t>(from)];
}
inline Bitboard king_attacks(Square from) { return step_attacks(BLACK, KING, from); }

// From a square to the edge of the board, without the square itself.
inline Bitboard ray(Direction d, Square from) { return detail::kAttacks.rays[d][static_cast<std::size_t>(from)]; }
// The direction that leads from one square to the other; NO_DIRECTION if they share no line or are the same.
inline Direction direction(Square from, Square to) {
  return detail::kAttacks.directions[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}
// The squares strictly between two; empty if they share no line.
inline Bitboard between(Square a, Square b) {
  const Direction d = direction(a, b);
  return d == NO_DIRECTION ? Bitboard{} : ray(d, a) & ray(opposite(d), b);
}
inline Bitboard diagonals(Square s) {
  return ray(LEFT_UP, s) | ray(LEFT_DOWN, s) | ray(RIGHT_UP, s) | ray(RIGHT_DOWN, s);
}
inline Bitboard straights(Square s) { return ray(UP, s) | ray(DOWN, s) | ray(LEFT, s) | ray(RIGHT, s); }
constexpr Direction forward_direction(Color c) { return c == BLACK ? UP : DOWN; }

// A ray up to and including its first occupied square. Towards higher squares the first one is the lowest set bit:
// subtracting one flips everything up to it.
inline Bitboard cut_ascending(Bitboard ray, Bitboard occupied) {
  const Bitboard hit = ray & occupied;
  const std::uint64_t low = hit.low() - 1;
  const std::uint64_t high = hit.high() - (hit.low() == 0 ? 1 : 0);
  return ray & Bitboard(hit.low() ^ low, hit.high() ^ high);
}
// Towards lower squares it is the highest set bit; without any, everything is kept.
inline Bitboard cut_descending(Bitboard ray, Bitboard occupied) {
  const Bitboard hit = ray & occupied;
  const std::uint64_t high = ~std::uint64_t{0} << (63 - std::countl_zero(hit.high() | 1));
  const std::uint64_t low = ~std::uint64_t{0} << (63 - std::countl_zero(hit.low() | 1));
  return hit.high() != 0 ? Bitboard(0, ray.high() & high) : Bitboard(ray.low() & low, ray.high());
}

inline Bitboard lance_attacks(Color c, Square from, Bitboard occupied) {
  return c == BLACK ? cut_descending(ray(UP, from), occupied) : cut_ascending(ray(DOWN, from), occupied);
}
inline Bitboard bishop_attacks(Square from, Bitboard occupied) {
  return cut_ascending(ray(LEFT_UP, from), occupied) | cut_ascending(ray(LEFT_DOWN, from), occupied) |
         cut_descending(ray(RIGHT_UP, from), occupied) | cut_descending(ray(RIGHT_DOWN, from), occupied);
}
inline Bitboard rook_attacks(Square from, Bitboard occupied) {
  return cut_ascending(ray(DOWN, from), occupied) | cut_ascending(ray(LEFT, from), occupied) |
         cut_descending(ray(UP, from), occupied) | cut_descending(ray(RIGHT, from), occupied);
}

// Everything that a piece attacks, own pieces included.
inline Bitboard attacks(Color c, PieceType type, Square from, Bitboard occupied) {
  const Bitboard steps = step_attacks(c, type, from);
  switch (type) {
    case LANCE:
      return lance_attacks(c, from, occupied);
    case BISHOP:
    case HORSE:
      return steps | bishop_attacks(from, occupied);
    case ROOK:
    case DRAGON:
      return steps | rook_attacks(from, occupied);
    default:
      return steps;
  }
}

}  // namespace fuhyo::shogi
