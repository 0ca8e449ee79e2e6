#include <gtest/gtest.h>
#include <random>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

TEST(Position, MovesPromotesCapturesAndDrops) {
  Position position = after(Position(), "7g7f 3c3d 8h2b+");
  EXPECT_EQ(position.sfen(), "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
  position = after(position, "3a2b B*4e 5a6b 4e6c+");
  EXPECT_EQ(position.hand(BLACK).count(PAWN), 1);
  EXPECT_EQ(position.hand(BLACK).count(BISHOP), 0);
  EXPECT_EQ(position.hand(WHITE).count(BISHOP), 1);
  EXPECT_TRUE(position.in_check());
  EXPECT_EQ(position.king_square(WHITE), make_square(6, 2));
}

TEST(Position, HasOneKeyForOnePositionHoweverReached) {
  const Position one = after(Position(), "7g7f 3c3d 2g2f"), other = after(Position(), "2g2f 3c3d 7g7f");
  EXPECT_EQ(one.key(), other.key());
  EXPECT_TRUE(one.same_as(other));
  const Position back = after(Position(), "2h3h 8b7b 3h2h 7b8b");
  EXPECT_EQ(back.key(), Position().key());
  EXPECT_TRUE(back.same_as(Position()));
  EXPECT_EQ(back.ply(), 4);
}

TEST(Position, TellsBoardHandsAndTurnApart) {
  const Position base = at("4k4/9/9/9/9/9/9/9/4K4 b P 1");
  for (const char* other : {"4k4/9/9/9/9/9/9/9/4K4 w P 1", "4k4/9/9/9/9/9/9/9/4K4 b p 1",
                            "4k4/9/9/9/9/9/9/9/4K4 b 2P 1", "3k5/9/9/9/9/9/9/9/4K4 b P 1"})
    EXPECT_NE(base.key(), at(other).key()) << other;
  EXPECT_EQ(base.board_key(), at("4k4/9/9/9/9/9/9/9/4K4 b 2P 1").board_key());
  EXPECT_EQ(base.hand_key(), at("3k5/9/9/9/9/9/9/9/4K4 w P 1").hand_key());
  EXPECT_FALSE(base.same_as(at("4k4/9/9/9/9/9/9/9/4K4 b p 1")));
}

TEST(Position, KeysAreTheSameInEveryBuild) { EXPECT_EQ(Position().key(), 13750881243043717565U); }

TEST(Position, KnowsCheckersAndPins) {
  const Position position = at("4k4/9/4r4/9/1b7/4G4/3P5/9/4K4 b - 1");
  EXPECT_FALSE(position.in_check());
  EXPECT_EQ(position.pinned(), Bitboard::of(make_square(5, 6)));
  const Position both = at("4k4/4r4/9/9/9/9/3n5/9/4K4 b - 1");
  EXPECT_EQ(both.checkers(), Bitboard::of(make_square(5, 2)) | Bitboard::of(make_square(6, 7)));
}

TEST(Position, PassesAndTakesThePassBack) {
  Position position = at("4k4/9/4p4/9/4L4/9/9/4r4/K8 b - 5");
  const Position before = position;
  const auto undo = position.do_null_move();
  EXPECT_EQ(position.side_to_move(), WHITE);
  EXPECT_EQ(position.ply(), 5);
  EXPECT_EQ(position.pinned(), Bitboard::of(make_square(5, 3))) << "pins are those of the side that is now to move";
  EXPECT_EQ(position.key(), at("4k4/9/4p4/9/4L4/9/9/4r4/K8 w - 6").key());
  position.undo_null_move(undo);
  EXPECT_EQ(position.sfen(), before.sfen());
  EXPECT_EQ(position.key(), before.key());
  EXPECT_EQ(position.pinned(), before.pinned());
}

// attacked() and attackers() are two ways to the same answer, key_after() and do_move() to the same key; what is taken
// back is as it was.
TEST(Position, SaysTheSameInTwoWaysAndTakesBackWhatItDid) {
  std::mt19937 random(11);
  for (int game = 0; game < 20; ++game) {
    Position position;
    for (int ply = 0; ply < 150; ++ply) {
      const auto moves = legal_moves(position);
      if (moves.empty()) break;
      const Position before = position;
      for (const Move move : moves) {
        const Key expected = position.key_after(move);
        const auto undo = position.do_move(move);
        ASSERT_EQ(position.key(), expected) << position.sfen();
        position.undo_move(move, undo);
        ASSERT_TRUE(position.same_as(before)) << position.sfen();
        ASSERT_EQ(position.key(), before.key());
        ASSERT_EQ(position.checkers(), before.checkers());
        ASSERT_EQ(position.pinned(), before.pinned());
      }
      ASSERT_EQ(position.sfen(), before.sfen());
      for (const Color c : {BLACK, WHITE}) {
        const Bitboard attacked = position.attacked(c, position.occupied());
        for (int s = 0; s < SQUARE_NB; ++s) {
          const auto to = static_cast<Square>(s);
          ASSERT_EQ(attacked.test(to), position.attackers(c, to, position.occupied()).any()) << position.sfen() << s;
        }
      }
      position.do_move(moves[random() % moves.size()]);
    }
  }
}

}  // namespace
}  // namespace fuhyo::shogi
