// The rules of Othello against published counts, against a slow second version, and at their edges.
#include "engines/othello/board.h"

#include <bit>
#include <gtest/gtest.h>
#include <random>

#include "engines/othello/symmetry.h"

namespace fuhyo::othello {
namespace {

// Square by square and step by step, as a person does it.
std::uint64_t slow_flips(const Board& board, int square) {
  std::uint64_t found = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      std::uint64_t line = 0;
      int x = square % 8 + dx, y = square / 8 + dy;
      const auto on = [&](std::uint64_t stones) {
        return x >= 0 && x < 8 && y >= 0 && y < 8 && (stones >> (y * 8 + x) & 1) != 0;
      };
      for (; (dx != 0 || dy != 0) && on(board.other); x += dx, y += dy) line |= 1ULL << (y * 8 + x);
      if (on(board.own)) found |= line;
    }
  }
  return found;
}

std::uint64_t slow_moves(const Board& board) {
  std::uint64_t found = 0;
  for (int square = 0; square < kSquares; ++square) {
    const bool empty = ((board.own | board.other) >> square & 1) == 0;
    if (empty && slow_flips(board, square) != 0) found |= 1ULL << square;
  }
  return found;
}

// Of rows from the first rank down: x has the move against o.
Board board_of(std::string_view rows) {
  Board board;
  for (std::size_t square = 0; square < rows.size(); ++square) {
    if (rows[square] == 'x') board.own |= 1ULL << square;
    if (rows[square] == 'o') board.other |= 1ULL << square;
  }
  return board;
}

TEST(OthelloBoard, HasThePublishedNumbersOfSequences) {
  const std::uint64_t published[] = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
  for (int depth = 0; depth < 10; ++depth) EXPECT_EQ(perft(Board::start(), depth), published[depth]) << depth;
}

TEST(OthelloBoard, BeginsWithFourStonesInTheMiddle) {
  EXPECT_EQ(Board::start().moves(), 1ULL << *parse_square("d3") | 1ULL << *parse_square("c4") |
                                        1ULL << *parse_square("f5") | 1ULL << *parse_square("e6"));
  EXPECT_EQ(Board::start().lead(), 0);
  EXPECT_FALSE(Board::start().over());
}

TEST(OthelloBoard, AgreesWithASlowVersionOnRandomBoards) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t stones = random() | random();
    const Board board{.own = stones & random(), .other = 0};
    const Board full{.own = board.own, .other = stones & ~board.own};
    ASSERT_EQ(full.moves(), slow_moves(full)) << full.own << " " << full.other;
    for (std::uint64_t empty = ~stones; empty != 0; empty &= empty - 1) {
      ASSERT_EQ(full.flips(std::countr_zero(empty)), slow_flips(full, std::countr_zero(empty)));
    }
  }
}

TEST(OthelloBoard, LooksTheSameFromAllEightSides) {
  std::mt19937_64 random(8);
  Board board = Board::start();
  while (!board.over()) {
    for (int turn = 0; turn < kTurns; ++turn) {
      ASSERT_EQ(turned(board, turn).moves(), turned(board.moves(), turn));
      for (int other = 0; other < turn; ++other) {
        ASSERT_NE(turned_square(1, turn), turned_square(1, other));  // b1: no two of them are one
      }
    }
    std::uint64_t moves = board.moves();
    for (std::uint64_t skip = random() % 8; skip > 0 && std::popcount(moves) > 1; --skip) moves &= moves - 1;
    board.play(moves == 0 ? kPass : std::countr_zero(moves));
  }
}

TEST(OthelloBoard, PassesAndEnds) {
  // x can do nothing, o takes a2 and b1.
  const Board stuck = board_of(
      "ox......"
      "x.......");
  EXPECT_EQ(stuck.moves(), 0U);
  EXPECT_FALSE(stuck.over());
  EXPECT_EQ(perft(stuck, 1), 1U);
  EXPECT_EQ(perft(stuck, 2), 2U);
  Board passed = stuck;
  passed.play(kPass);
  EXPECT_EQ(passed.own, stuck.other);
  EXPECT_EQ(passed.other, stuck.own);
  // Wiped out: over with squares left.
  Board last = board_of("xo......");
  last.play(2);
  EXPECT_TRUE(last.over());
  EXPECT_EQ(last.lead(), -3);
  EXPECT_EQ(perft(last, 5), 1U);
}

TEST(OthelloBoard, NamesSquares) {
  for (int square = 0; square < kSquares; ++square) EXPECT_EQ(parse_square(to_text(square)), square);
  EXPECT_EQ(to_text(37), "f5");
  EXPECT_EQ(parse_square("H8"), 63);
  EXPECT_EQ(to_text(kPass), "pass");
  for (const char* bad : {"", "f", "i1", "a0", "a9", "`1", "11", "f44", "pass"}) EXPECT_FALSE(parse_square(bad)) << bad;
}

}  // namespace
}  // namespace fuhyo::othello
