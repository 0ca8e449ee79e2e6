#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::string_view sfen) {
  const auto position = Position::from_sfen(sfen);
  return position ? "taken as " + position->sfen() : position.error().message;
}

TEST(Sfen, IsWrittenAsItWasRead) {
  EXPECT_EQ(Position().sfen(), Position::kStartSfen);
  for (const char* sfen : {
           "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
           "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
           "9/9/9/9/9/9/9/9/9 b - 1",
           "4k4/9/9/9/9/9/9/9/9 b 18P 1",
           "4k4/9/9/9/4+B4/9/9/9/4K4 w 2R 1000000",
           "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b - 7",
       }) {
    EXPECT_EQ(at(sfen).sfen(), sfen);
  }
}

TEST(Sfen, MayLackTheNumberAndNumberFromZero) {
  EXPECT_EQ(at("4k4/9/9/9/9/9/9/9/4K4 b -").ply(), 0);
  EXPECT_EQ(at("4k4/9/9/9/9/9/9/9/4K4 b - 0").ply(), 0);
  EXPECT_EQ(at("4k4/9/9/9/9/9/9/9/4K4 b - 12").ply(), 11);
  EXPECT_EQ(at("  4k4/9/9/9/9/9/9/9/4K4  w  -  3 ").ply(), 2);
}

TEST(Sfen, TakesHandsInAnyOrderAndPiecesThatAreRepeatedInsteadOfCounted) {
  EXPECT_EQ(at("4k4/9/9/9/9/9/9/9/4K4 b p2PrRlB 1").sfen(), "4k4/9/9/9/9/9/9/9/4K4 b RB2Prlp 1");
  EXPECT_EQ(at("4k4/9/9/9/9/9/9/9/4K4 b PPPggp2P 1").sfen(), "4k4/9/9/9/9/9/9/9/4K4 b 5P2gp 1");
}

TEST(Sfen, SaysWhatIsMalformed) {
  EXPECT_THAT(refusal(""), HasSubstr("expected"));
  EXPECT_THAT(refusal("startpos"), HasSubstr("expected"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b"), HasSubstr("expected"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("8 ranks instead of 9"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("more than 9 ranks"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K3 b - 1"), HasSubstr("rank 9 \"4K3\" has 8 squares"));
  EXPECT_THAT(refusal("4k5/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("rank 1 \"4k5\" has more than 9"));
  EXPECT_THAT(refusal("9k/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("more than 9 squares"));
  EXPECT_THAT(refusal("4x4/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("no piece at \"x\""));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K3+ b - 1"), HasSubstr("no piece"));
  EXPECT_THAT(refusal("4+k4/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("cannot be promoted"));
  EXPECT_THAT(refusal("4+g4/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("cannot be promoted"));
  EXPECT_THAT(refusal("4k4/0/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("no piece at \"0\""));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 x - 1"), HasSubstr("\"x\" instead of b or w"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b K 1"), HasSubstr("cannot be held"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b 2 1"), HasSubstr("cannot be held"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b 0P 1"), HasSubstr("not from 1 to 18"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b 19P 1"), HasSubstr("not from 1 to 18"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b 99999999999P 1"), HasSubstr("not from 1 to 18"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b 9P9PP 1"), HasSubstr("more than 18 of P"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b BBB 1"), HasSubstr("3 pieces of kind B"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b -- 1"), HasSubstr("cannot be held"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b - x"), HasSubstr("the move number is \"x\""));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b - -1"), HasSubstr("the move number"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b - 1000001"), HasSubstr("the move number"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves"), HasSubstr("after the move number"));
}

TEST(Sfen, QuotesOnlyALittleOfWhatWasSent) {
  const std::string message = refusal("4k4/9/9/9/9/9/9/9/4K4 b " + std::string(100'000, '\n') + " 1");
  EXPECT_LT(message.size(), 200U);
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(Sfen, SaysWhatIsImpossible) {
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/4K4 b 3R 1"), HasSubstr("3 pieces of kind R, a set has 2"));
  EXPECT_THAT(refusal("4k4/1+r5+R1/9/9/9/9/9/9/4K4 b r 1"), HasSubstr("3 pieces of kind R"));
  EXPECT_THAT(refusal("k3k4/9/9/9/9/9/9/9/9 b - 1"), HasSubstr("White has two kings"));
  EXPECT_THAT(refusal("k3k4/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("3 pieces of kind K"));
  EXPECT_THAT(refusal("4k4/9/P8/9/P8/9/9/9/4K4 b - 1"), HasSubstr("Black has two pawns on file 9"));
  EXPECT_THAT(refusal("P3k4/9/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("Black's piece on 9a can never move"));
  EXPECT_THAT(refusal("4k4/9/9/9/9/9/9/9/l3K4 b - 1"), HasSubstr("White's piece on 9i can never move"));
  EXPECT_THAT(refusal("4k4/N8/9/9/9/9/9/9/4K4 b - 1"), HasSubstr("Black's piece on 9b can never move"));
  EXPECT_THAT(refusal("4k4/9/9/9/4R4/9/9/9/4K4 b - 1"), HasSubstr("White is in check and not to move"));
}

TEST(Sfen, TakesPromotedPiecesWhereUnpromotedCouldNotBe) {
  constexpr std::string_view kSfen =
      "+P+L+N2k3/P8/9/9/+P8/9/9/9/4K4 b - 1";  // three pawns on a file, two of them promoted
  EXPECT_EQ(at(kSfen).sfen(), kSfen);
}

TEST(Sfen, TakesMoreThanASetWhenAskedTo) {
  constexpr std::string_view kFiveLances = "kl7/1p7/9/9/9/9/9/7P1/7LK b RB2G2S2N2L8Prb2g2s2nl8p 1";
  EXPECT_THAT(refusal(kFiveLances), HasSubstr("5 pieces of kind L, a set has 4"));
  EXPECT_TRUE(Position::from_sfen(kFiveLances, Pieces::ANY_NUMBER).has_value());
}

}  // namespace
}  // namespace fuhyo::shogi
