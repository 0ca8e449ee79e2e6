#include "engines/mate/mate_in_few.h"

#include "engines/mate/mate_in_one.h"
#include "engines/shogi/usi_move.h"
#include "tests/unit/mate/naive.h"
#include "tests/unit/mate/positions.h"

namespace fuhyo::mate {
namespace {

using shogi::Move;
using shogi::Position;

// By definition: after the move, every defence is mated within what is left.
bool starts_a_mate(Position position, Move move, int plies) {
  if (!position.is_legal(move) || !position.gives_check(move)) return false;
  position.do_move(move);
  for (const Move defence : naive_moves(position, false)) {
    Position next = position;
    next.do_move(defence);
    if (plies < 3 || !naive_mates_within(next, plies - 2)) return false;
  }
  return true;
}

// mate_in_few() with so many moves to make.
Move within(Position& position, int plies, int moves) {
  const int granted = moves;
  const Move mate = mate_in_few(position, plies, moves);
  EXPECT_TRUE(moves >= 0 && moves <= granted);
  return mate;
}

TEST(MateInFew, NeverFalse) {
  RandomPositions positions(21);
  int found = 0, missed = 0;
  for (int i = 0; i < FUHYO_MANY / 100; ++i) {
    Position position = positions.next();
    if (naive_moves(position, true).size() > 12) continue;
    const std::string before = position.sfen();
    const Move move = within(position, 3, 10'000);
    ASSERT_EQ(position.sfen(), before);
    const bool exists = naive_mates_within(position, 3);
    if (move) {
      ASSERT_TRUE(exists && starts_a_mate(position, move, 3)) << before << ' ' << shogi::to_usi(move);
    }
    if (exists) ++(move ? found : missed);
  }
  std::printf("%d mates within three found, %d missed\n", found, missed);
  EXPECT_LE(missed, found / 4);
}

TEST(MateInFew, FindsOurProblems) {
  for (const int plies : {3, 5, 7}) {
    const auto name = "/tests/golden/mate/mate-" + std::to_string(plies) + ".txt";
    const auto problems = lines_of(FUHYO_SOURCE_DIR + name);
    int missed = 0;
    for (const std::string& sfen : problems) {
      Position position = at(sfen);
      EXPECT_FALSE(within(position, plies - 2, 1'000'000)) << sfen;
      const Move move = within(position, plies, 1'000'000);
      missed += move ? 0 : 1;
      if (move && plies <= 5) {
        EXPECT_TRUE(starts_a_mate(position, move, plies)) << sfen;
      }
    }
    EXPECT_FALSE(problems.empty());
    EXPECT_LE(missed, static_cast<int>(problems.size()) / 10) << plies;
  }
}

TEST(MateInFew, KeepsItsBounds) {
  Position position = at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  EXPECT_TRUE(within(position, 1, 0));  // mate in one is no search
  const auto problems = lines_of(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/mate/mate-7.txt");
  for (const std::string& sfen : problems) {
    Position problem = at(sfen);
    EXPECT_FALSE(within(problem, 7, 1)) << sfen;
  }
}

}  // namespace
}  // namespace fuhyo::mate
