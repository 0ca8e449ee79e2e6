// The checks that engines/shogi generates, against all legal moves asked one by one.
#include "engines/shogi/checks.h"

#include <algorithm>

#include "engines/shogi/usi_move.h"
#include "tests/unit/mate/positions.h"

namespace fuhyo::mate {
namespace {

std::vector<shogi::Move> checks_of(const shogi::Position& position) {
  shogi::Move moves[shogi::MAX_LEGAL_MOVES];
  std::vector<shogi::Move> all(moves, shogi::generate_checks(position, moves));
  std::ranges::sort(all);
  return all;
}

TEST(Checks, AreTheLegalMovesThatGiveCheck) {
  RandomPositions positions(11);
  std::size_t total = 0, in_check = 0;
  for (int i = 0; i < FUHYO_MANY; ++i) {
    const shogi::Position& position = positions.next();
    std::vector<shogi::Move> expected;
    for (const shogi::Move move : shogi::legal_moves(position)) {
      if (position.gives_check(move)) expected.push_back(move);
    }
    std::ranges::sort(expected);
    ASSERT_EQ(checks_of(position), expected) << position.sfen();
    total += expected.size();
    in_check += position.in_check() && !expected.empty() ? 1 : 0;
  }
  EXPECT_GT(total, static_cast<std::size_t>(FUHYO_MANY));
  EXPECT_GT(in_check, static_cast<std::size_t>(FUHYO_MANY / 1'000));
}

TEST(Checks, KnowTheRulesOfPawns) {
  EXPECT_EQ(checks_of(at("7nk/9/8G/9/9/9/9/9/4K4 b P 1")).size(), 2U);   // the gold only: the pawn would mate
  EXPECT_TRUE(checks_of(at("4k4/9/9/9/9/9/4P4/9/4K4 b P 1")).empty());   // two pawns on a file
  EXPECT_EQ(checks_of(at("4k4/9/9/9/9/9/3P5/9/4K4 b P 1")).size(), 1U);  // P*5b
  EXPECT_TRUE(checks_of(at("9/9/9/9/9/9/9/9/K8 b RBGS 1")).empty());     // no king to check
}

}  // namespace
}  // namespace fuhyo::mate
