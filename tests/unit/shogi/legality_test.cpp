#include <gtest/gtest.h>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

Illegal why(std::string_view sfen, std::string_view move) { return at(sfen).why_illegal(usi(move)); }

constexpr std::string_view kStart = Position::kStartSfen;

TEST(Legality, NamesTheRuleThatIsBroken) {
  EXPECT_EQ(why(kStart, "7g7f"), Illegal::none);
  EXPECT_EQ(why(kStart, "5e5d"), Illegal::no_piece);
  EXPECT_EQ(why(kStart, "3c3d"), Illegal::no_piece) << "a piece of the opponent";
  EXPECT_EQ(why(kStart, "P*5e"), Illegal::no_piece);
  EXPECT_EQ(why(kStart, "2h2g"), Illegal::occupied);
  EXPECT_EQ(why(kStart, "2h2f"), Illegal::unreachable) << "over the own pawn";
  EXPECT_EQ(why(kStart, "7g7e"), Illegal::unreachable);
  EXPECT_EQ(why(kStart, "7g7f+"), Illegal::cannot_promote) << "far from the zone";
  EXPECT_EQ(why("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5e"), Illegal::none);
  EXPECT_EQ(why("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5i"), Illegal::occupied);
}

TEST(Legality, OfPromotion) {
  constexpr std::string_view kSfen = "4k4/9/S8/+R2G5/9/9/9/9/4K4 b - 1";
  EXPECT_EQ(why(kSfen, "9c9b+"), Illegal::none);
  EXPECT_EQ(why(kSfen, "9c9b"), Illegal::none);
  EXPECT_EQ(why(kSfen, "9c8d+"), Illegal::none) << "out of the zone";
  EXPECT_EQ(why(kSfen, "6d6c+"), Illegal::cannot_promote) << "gold";
  EXPECT_EQ(why(kSfen, "9d8c+"), Illegal::cannot_promote) << "dragon";
  EXPECT_EQ(why("9/9/4K4/9/9/9/9/9/k8 b - 1", "5c5b+"), Illegal::cannot_promote) << "king";
}

TEST(Legality, OfPiecesThatCouldNeverMoveAgain) {
  constexpr std::string_view kSfen = "8k/P8/9/2N1N4/9/9/9/9/4K4 b LNP 1";
  EXPECT_EQ(why(kSfen, "9b9a"), Illegal::dead_end);
  EXPECT_EQ(why(kSfen, "9b9a+"), Illegal::none);
  EXPECT_EQ(why(kSfen, "5d4b"), Illegal::dead_end);
  EXPECT_EQ(why(kSfen, "5d4b+"), Illegal::none);
  EXPECT_EQ(why(kSfen, "L*5a"), Illegal::dead_end);
  EXPECT_EQ(why(kSfen, "L*5b"), Illegal::none);
  EXPECT_EQ(why(kSfen, "N*5b"), Illegal::dead_end);
  EXPECT_EQ(why(kSfen, "N*5c"), Illegal::none);
  EXPECT_EQ(why(kSfen, "P*5a"), Illegal::dead_end);
  EXPECT_EQ(why("4k4/9/9/9/9/9/9/9/K8 w np 1", "N*5h"), Illegal::dead_end);
  EXPECT_EQ(why("4k4/9/9/9/9/9/9/9/K8 w np 1", "P*5i"), Illegal::dead_end);
}

TEST(Legality, OfTwoPawns) {
  constexpr std::string_view kSfen = "8k/9/9/4p4/+P8/9/8P/9/4K4 b P 1";
  EXPECT_EQ(why(kSfen, "P*1f"), Illegal::two_pawns);
  EXPECT_EQ(why(kSfen, "P*5e"), Illegal::none) << "the opponent's pawn";
  EXPECT_EQ(why(kSfen, "P*9f"), Illegal::none) << "a promoted pawn";
}

TEST(Legality, OfTheKing) {
  EXPECT_EQ(why("4k4/9/4r4/9/9/9/4G4/9/4K4 b - 1", "5g4g"), Illegal::king_in_check) << "leaves the pin";
  EXPECT_EQ(why("4k4/9/4r4/9/9/9/4G4/9/4K4 b - 1", "5g5f"), Illegal::none) << "along the pin";
  EXPECT_EQ(why("4k4/4r4/9/9/9/9/9/9/4K4 b G 1", "5i4i"), Illegal::none);
  EXPECT_EQ(why("4k4/4r4/9/9/9/9/9/4K4/9 b G 1", "5h5i"), Illegal::king_in_check) << "still in the rook's line";
  EXPECT_EQ(why("4k4/4r4/9/9/9/9/9/9/4K4 b G 1", "G*5e"), Illegal::none);
  EXPECT_EQ(why("4k4/4r4/9/9/9/9/9/9/4K4 b G 1", "G*4e"), Illegal::king_in_check);
  EXPECT_EQ(why("4k4/9/9/9/9/9/9/4g4/4K4 b - 1", "5i5h"), Illegal::none) << "takes what is unprotected";
  EXPECT_EQ(why("4k4/9/9/9/9/9/4l4/4g4/4K4 b - 1", "5i5h"), Illegal::king_in_check);
  EXPECT_EQ(why("4k4/4r4/9/9/9/9/3n5/9/3GK4 b R 1", "R*5h"), Illegal::king_in_check) << "double check";
}

TEST(Legality, OfMateByDroppingAPawn) {
  EXPECT_EQ(why("7lk/9/7S1/9/9/9/9/9/4K4 b P 1", "P*1b"), Illegal::drop_pawn_mate);
  EXPECT_EQ(why("8k/9/7S1/9/9/9/9/9/4K4 b P 1", "P*1b"), Illegal::none) << "the king flees";
  EXPECT_EQ(why("7lk/9/9/9/9/9/9/9/4K4 b P 1", "P*1b"), Illegal::none) << "the king takes";
  EXPECT_EQ(why("6glk/9/7S1/9/9/9/9/9/4K4 b P 1", "P*1b"), Illegal::drop_pawn_mate) << "nobody reaches the pawn";
  EXPECT_EQ(why("7gk/9/7S1/9/9/9/9/9/4K4 b P 1", "P*1b"), Illegal::none) << "the gold takes";
  EXPECT_EQ(why("R6gk/9/7S1/9/9/9/9/9/4K4 b P 1", "P*1b"), Illegal::drop_pawn_mate) << "the gold is pinned";
  EXPECT_EQ(why("4k4/9/9/9/9/9/7s1/9/7LK w p 1", "P*1h"), Illegal::drop_pawn_mate) << "by White";
}

TEST(Legality, MovingAPawnMayMate) {
  const Position position = at("7lk/9/7SP/9/9/9/9/9/4K4 b - 1");
  EXPECT_TRUE(position.is_legal(usi("1c1b")));
  EXPECT_TRUE(legal_moves(after(position, "1c1b")).empty());
}

TEST(Legality, AnswersForAny16Bits) {
  for (const std::string_view sfen :
       {kStart, std::string_view("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
        std::string_view("9/9/9/9/9/9/9/9/9 b RB 1")}) {
    const Position position = at(sfen);
    const MoveList<GenKind::LEGAL> moves(position);
    std::size_t legal = 0;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
      const bool is_legal = position.is_legal(move);
      ASSERT_EQ(is_legal, moves.contains(move)) << bits;
      legal += is_legal ? 1 : 0;
    }
    EXPECT_EQ(legal, moves.size());
  }
}

TEST(Legality, EveryReasonHasWords) {
  EXPECT_EQ(to_string(Illegal::none), "");
  for (int i = 1; i <= static_cast<int>(Illegal::drop_pawn_mate); ++i) {
    EXPECT_GT(to_string(static_cast<Illegal>(i)).size(), 10U) << i;
    EXPECT_NE(to_string(static_cast<Illegal>(i)), "unknown");
  }
}

TEST(GivesCheck, DirectlyByDropAndByUncovering) {
  EXPECT_TRUE(at("4k4/9/9/9/9/9/9/9/4K4 b G 1").gives_check(usi("G*5b")));
  EXPECT_FALSE(at("4k4/9/9/9/9/9/9/9/4K4 b G 1").gives_check(usi("G*5c")));
  EXPECT_TRUE(at("4k4/9/2N6/9/9/9/9/9/4K4 b - 1").gives_check(usi("7c6a+")));
  const Position covered = at("4k4/9/9/9/4G4/9/9/4R4/K8 b - 1");
  EXPECT_TRUE(covered.gives_check(usi("5e4e")));
  EXPECT_FALSE(covered.gives_check(usi("5e5d"))) << "stays on the line";
  EXPECT_TRUE(at("4k4/9/9/9/9/9/1R7/9/4K4 b - 1").gives_check(usi("8g8a+")));
  EXPECT_FALSE(at("9/9/9/9/9/9/9/9/4K4 b G 1").gives_check(usi("G*5b"))) << "nobody there";
}

}  // namespace
}  // namespace fuhyo::shogi
