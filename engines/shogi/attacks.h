// Where pieces attack: tables for steps, and rays cut at the first piece in the way for the sliders.
// Pure functions over constant tables; usable from any thread.
#pragma once

#include <array>
#include <bit>

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

// Two rays towards higher squares and two towards lower ones; the latter with the bytes of both words in reverse.
struct FourRays {
  alignas(32) std::array<std::uint64_t, 4> low{};
  alignas(32) std::array<std::uint64_t, 4> high{};
};

struct AttackTables {
  std::array<std::array<std::array<Bitboard, SQUARE_NB>, STEPS_NB>, COLOR_NB> steps{};
  std::array<std::array<Bitboard, SQUARE_NB>, DIRECTION_NB + 1> rays{};  // the last one is empty
  std::array<std::array<Direction, SQUARE_NB>, SQUARE_NB> directions{};
  std::array<FourRays, SQUARE_NB> bishop_rays{};
  std::array<FourRays, SQUARE_NB> rook_rays{};  // without UP
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

namespace detail {

// Vectors of the compiler, which become AVX2, SSE or NEON.
using Two = std::uint64_t __attribute__((vector_size(16)));
using Four = std::uint64_t __attribute__((vector_size(32)));
using Bytes = std::uint8_t __attribute__((vector_size(16)));

inline Two reversed(Two set) {
  const auto bytes = std::bit_cast<Bytes>(set);
  return std::bit_cast<Two>(
      __builtin_shufflevector(bytes, bytes, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}

// cut_ascending for four rays at once, the last two with their bytes in reverse: so a ray towards lower squares
// ascends, as long as each byte holds at most one of its squares (all but UP).
inline Bitboard cut(const FourRays& rays, Bitboard occupied) {
  const Two forth = {occupied.low(), occupied.high()}, back = reversed(forth);
  const auto ray_low = std::bit_cast<Four>(rays.low), ray_high = std::bit_cast<Four>(rays.high);
  const Four low = __builtin_shufflevector(forth, back, 0, 0, 2, 2) & ray_low;
  const Four high = __builtin_shufflevector(forth, back, 1, 1, 3, 3) & ray_high;
  const Four borrow = std::bit_cast<Four>(low == 0);  // minus one where the low word underflows
  const Four seen_low = (low ^ (low - 1)) & ray_low, seen_high = (high ^ (high + borrow)) & ray_high;
  const Two up =
      __builtin_shufflevector(seen_low, seen_high, 0, 4) | __builtin_shufflevector(seen_low, seen_high, 1, 5);
  const Two down =
      __builtin_shufflevector(seen_low, seen_high, 2, 6) | __builtin_shufflevector(seen_low, seen_high, 3, 7);
  const Two seen = up | reversed(down);
  return {seen[0], seen[1]};
}

}  // namespace detail

inline Bitboard bishop_attacks(Square from, Bitboard occupied) {
  return detail::cut(detail::kAttacks.bishop_rays[static_cast<std::size_t>(from)], occupied);
}
inline Bitboard rook_attacks(Square from, Bitboard occupied) {
  return detail::cut(detail::kAttacks.rook_rays[static_cast<std::size_t>(from)], occupied) |
         cut_descending(ray(UP, from), occupied);
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
