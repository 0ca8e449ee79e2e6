#include "engines/mate/mate_in_one.h"

#include "engines/shogi/usi_move.h"
#include "tests/unit/mate/positions.h"

namespace fuhyo::mate {
namespace {

using shogi::Move;
using shogi::Position;

std::string answer(std::string_view sfen) {
  const Move move = mate_in_one(at(sfen));
  return move ? shogi::to_usi(move) : "none";
}

TEST(MateInOne, DropsAndMoves) {
  EXPECT_EQ(answer("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), "G*5b");
  EXPECT_EQ(answer("4k4/9/3S1S3/9/9/9/9/9/4K4 b - 1"), "4c5b+");
  EXPECT_EQ(answer("3gkg3/9/4P4/9/4L4/9/9/9/4K4 b - 1"), "none");  // the golds take
  EXPECT_EQ(answer("6gpk/7np/9/6N2/9/9/9/9/4K4 b N 1"), "N*2c");
  EXPECT_EQ(answer("k8/9/1G7/9/9/9/9/9/K8 w - 1"), "none");  // it is the mated side's move
  EXPECT_EQ(answer("9/9/9/9/9/9/9/9/K8 b G 1"), "none");     // no king
}

TEST(MateInOne, NeverByDroppingAPawn) {
  EXPECT_EQ(answer("7nk/9/8G/9/9/9/9/9/4K4 b P 1"), "none");
  EXPECT_EQ(answer("7nk/9/7GP/9/9/9/9/9/4K4 b - 1"), "1c1b+");  // moving one is allowed
}

TEST(MateInOne, PinsAndDoubleChecks) {
  // The gold that could take is pinned by the bishop.
  EXPECT_EQ(answer("7lk/7g1/8P/9/4B4/9/9/9/4K4 b G 1"), "G*1b");
  // ... and here it is not.
  EXPECT_EQ(answer("7lk/7g1/8P/9/9/5B3/9/9/4K4 b G 1"), "none");
}

TEST(MateInOne, OutOfCheck) {
  // Black is in check by the rook; only a drop in between that mates would do.
  EXPECT_EQ(answer("4k4/9/4P4/9/9/9/9/9/r3K4 b G 1"), "none");
}

// Against every legal move tried out.
TEST(MateInOne, AgainstBruteForce) {
  RandomPositions positions(7);
  int near = 0, distant = 0, found = 0, distant_found = 0;
  for (int i = 0; i < FUHYO_MANY; ++i) {
    const Position& position = positions.next();
    const shogi::Square king = position.king_square(~position.side_to_move());
    bool is_near = false, is_distant = false;
    for (const Move move : shogi::legal_moves(position)) {
      if (!is_mate(position, move)) continue;
      Position next = position;
      next.do_move(move);
      const bool by_itself = next.checkers().test(move.to());
      const bool jumps = shogi::type_of(next.piece_on(move.to())) == shogi::KNIGHT;
      const bool looked_at = by_itself && (jumps || shogi::king_attacks(king).test(move.to()));
      (looked_at ? is_near : is_distant) = true;
    }
    const Move move = mate_in_one(position);
    if (move) {
      ASSERT_TRUE(position.is_legal(move)) << position.sfen() << ' ' << shogi::to_usi(move);
      ASSERT_TRUE(is_mate(position, move)) << position.sfen() << ' ' << shogi::to_usi(move);
    }
    ASSERT_EQ(static_cast<bool>(move), is_near) << position.sfen();
    near += is_near ? 1 : 0;
    distant += is_distant && !is_near ? 1 : 0;
    found += move ? 1 : 0;
    distant_found += move && !is_near ? 1 : 0;
  }
  RecordProperty("near", near);
  RecordProperty("only_distant", distant);
  std::printf("%d positions: %d with a near mate, %d found; %d with distant ones only\n", FUHYO_MANY, near, found,
              distant);
  EXPECT_EQ(found, near + distant_found);
  EXPECT_GT(near, FUHYO_MANY / 100);
}

TEST(MateInOne, SharedProblems) {
  const auto problems = shared_problems("mate-1-ply.txt");
  const auto others = shared_problems("no-mate-1-ply.txt");
  if (problems.empty() || others.empty()) GTEST_SKIP() << "no ../shared/data/mate";
  int missed = 0;
  for (const std::string& sfen : problems) {
    const Position position = at(sfen);
    const Move move = mate_in_one(position);
    if (!move) {
      ++missed;
    } else {
      EXPECT_TRUE(position.is_legal(move) && is_mate(position, move)) << sfen;
    }
  }
  std::printf("%zu problems, %d missed\n", problems.size(), missed);
  for (const std::string& sfen : others) EXPECT_FALSE(mate_in_one(at(sfen))) << sfen;
}

}  // namespace
}  // namespace fuhyo::mate
