#include "engines/shogi/attacks.h"

#include <bit>
#include <span>

namespace fuhyo::shogi::detail {
namespace {

struct Step {
  int file, rank;  // as Black sees it
};
constexpr Step kUnit[DIRECTION_NB] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}, {0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};

constexpr Step kPawn[] = {{0, -1}};
constexpr Step kKnight[] = {{1, -2}, {-1, -2}};
constexpr Step kSilver[] = {{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
constexpr Step kGold[] = {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}};
constexpr Step kStraight[] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};
constexpr Step kDiagonal[] = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}};

constexpr std::span<const Step> steps_of(Steps steps) {
  switch (steps) {
    case PAWN_STEPS:
      return kPawn;
    case KNIGHT_STEPS:
      return kKnight;
    case SILVER_STEPS:
      return kSilver;
    case GOLD_STEPS:
      return kGold;
    case KING_STEPS:
      return kUnit;
    case STRAIGHT_STEPS:
      return kStraight;
    case DIAGONAL_STEPS:
      return kDiagonal;
    default:
      return {};
  }
}

constexpr bool on_board(int file, int rank) { return file >= 1 && file <= 9 && rank >= 1 && rank <= 9; }

constexpr Bitboard steps_from(Square from, std::span<const Step> steps, int forward) {
  Bitboard set;
  for (const Step& s : steps) {
    const int file = file_of(from) + s.file, rank = rank_of(from) + forward * s.rank;
    if (on_board(file, rank)) set |= Bitboard::of(make_square(file, rank));
  }
  return set;
}

constexpr void add_rays(AttackTables& tables, Square from) {
  const auto index = static_cast<std::size_t>(from);
  tables.directions[index].fill(NO_DIRECTION);
  for (std::size_t d = 0; d < DIRECTION_NB; ++d) {
    int file = file_of(from) + kUnit[d].file, rank = rank_of(from) + kUnit[d].rank;
    for (; on_board(file, rank); file += kUnit[d].file, rank += kUnit[d].rank) {
      const Square to = make_square(file, rank);
      tables.rays[d][index] |= Bitboard::of(to);
      tables.directions[index][static_cast<std::size_t>(to)] = static_cast<Direction>(d);
    }
  }
}

constexpr FourRays four_rays(Bitboard a, Bitboard b, Bitboard back_a, Bitboard back_b) {
  return {.low = {a.low(), b.low(), std::byteswap(back_a.high()), std::byteswap(back_b.high())},
          .high = {a.high(), b.high(), std::byteswap(back_a.low()), std::byteswap(back_b.low())}};
}

constexpr AttackTables make_tables() {
  AttackTables tables;
  for (int s = 0; s < SQUARE_NB; ++s) {
    const auto from = static_cast<Square>(s);
    for (std::uint8_t kind = 0; kind < STEPS_NB; ++kind) {
      const auto steps = steps_of(static_cast<Steps>(kind));
      tables.steps[BLACK][kind][static_cast<std::size_t>(s)] = steps_from(from, steps, 1);
      tables.steps[WHITE][kind][static_cast<std::size_t>(s)] = steps_from(from, steps, -1);
    }
    add_rays(tables, from);
    const auto ray = [&](Direction d) { return tables.rays[d][static_cast<std::size_t>(s)]; };
    tables.bishop_rays[static_cast<std::size_t>(s)] =
        four_rays(ray(LEFT_UP), ray(LEFT_DOWN), ray(RIGHT_UP), ray(RIGHT_DOWN));
    tables.rook_rays[static_cast<std::size_t>(s)] = four_rays(ray(LEFT), ray(DOWN), ray(RIGHT), Bitboard{});
  }
  return tables;
}

}  // namespace

// Built by the compiler: ready before any other static object.
constinit const AttackTables kAttacks = make_tables();

}  // namespace fuhyo::shogi::detail
