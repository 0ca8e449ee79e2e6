#include "engines/shogi/attacks.h"

#include <gtest/gtest.h>
#include <random>

namespace fuhyo::shogi {
namespace {

Square square(int file, int rank) { return make_square(file, rank); }

Bitboard set_of(std::initializer_list<Square> squares) {
  Bitboard set;
  for (const Square s : squares) set |= Bitboard::of(s);
  return set;
}

TEST(Bitboard, HoldsEverySquareByItself) {
  Bitboard sum;
  for (int s = 0; s < SQUARE_NB; ++s) {
    const Bitboard one = Bitboard::of(static_cast<Square>(s));
    EXPECT_EQ(one.count(), 1);
    EXPECT_EQ(one.first(), s);
    EXPECT_FALSE((sum & one).any());
    sum |= one;
  }
  EXPECT_EQ(sum, Bitboard::all());
  EXPECT_EQ(~sum, Bitboard());
}

TEST(Bitboard, VisitsInAscendingOrderAcrossTheWords) {
  const Bitboard set = set_of({square(9, 9), square(1, 1), square(7, 9), square(8, 1)});
  std::vector<Square> visited;
  set.for_each([&](Square s) { visited.push_back(s); });
  EXPECT_EQ(visited, (std::vector<Square>{square(1, 1), square(7, 9), square(8, 1), square(9, 9)}));
}

// The sliders against walking square by square, with random pieces on the board.
Bitboard walk(Square from, Bitboard occupied, std::initializer_list<std::pair<int, int>> steps) {
  Bitboard set;
  for (const auto& [df, dr] : steps) {
    int file = file_of(from) + df, rank = rank_of(from) + dr;
    for (; file >= 1 && file <= 9 && rank >= 1 && rank <= 9; file += df, rank += dr) {
      set |= Bitboard::of(make_square(file, rank));
      if (occupied.test(make_square(file, rank))) break;
    }
  }
  return set;
}

TEST(Attacks, OfSlidersStopAtTheFirstPiece) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto from = static_cast<Square>(random() % SQUARE_NB);
    Bitboard occupied = Bitboard(random(), random()) & Bitboard::all();
    if (i % 3 > 0) occupied &= Bitboard(random(), random());
    if (i % 3 > 1) occupied &= Bitboard(random(), random());
    ASSERT_EQ(bishop_attacks(from, occupied), walk(from, occupied, {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}));
    ASSERT_EQ(rook_attacks(from, occupied), walk(from, occupied, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}));
    ASSERT_EQ(lance_attacks(BLACK, from, occupied), walk(from, occupied, {{0, -1}}));
    ASSERT_EQ(lance_attacks(WHITE, from, occupied), walk(from, occupied, {{0, 1}}));
  }
}

TEST(Attacks, BetweenIsOpenAndOnlyOnLines) {
  EXPECT_EQ(between(square(5, 5), square(5, 2)), set_of({square(5, 4), square(5, 3)}));
  EXPECT_EQ(between(square(1, 1), square(9, 9)).count(), 7);
  EXPECT_EQ(between(square(9, 9), square(1, 1)), between(square(1, 1), square(9, 9)));
  EXPECT_EQ(between(square(5, 5), square(4, 3)), Bitboard());
  EXPECT_EQ(between(square(5, 5), square(5, 4)), Bitboard());
  EXPECT_EQ(between(square(5, 5), square(5, 5)), Bitboard());
}

}  // namespace
}  // namespace fuhyo::shogi
