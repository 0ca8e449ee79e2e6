#include "engines/record/csa_move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::record {
namespace {

using namespace shogi;

Position at(std::string_view sfen) {
  auto position = Position::from_sfen(sfen);
  EXPECT_TRUE(position) << position.error().message;
  return *position;
}

TEST(CsaNames, RoundTripAndNothingElse) {
  for (int t = PAWN; t < PIECE_TYPE_NB; ++t) {
    const auto name = csa_name(static_cast<PieceType>(t));
    ASSERT_EQ(name.size(), 2U);
    EXPECT_EQ(piece_of_csa_name(name[0], name[1]), t);
  }
  for (const std::string_view wrong : {"fu", "XX", "@A", "[Z", "\xff\xff", "AA", "ZZ"}) {
    EXPECT_EQ(piece_of_csa_name(wrong[0], wrong[1]), NO_PIECE_TYPE) << wrong;
  }
}

TEST(CsaMoveText, Parses) {
  EXPECT_EQ(parse_csa_move("+7776FU"), (CsaMove{BLACK, make_square(7, 7), make_square(7, 6), PAWN}));
  EXPECT_EQ(parse_csa_move("-0055KA"), (CsaMove{WHITE, SQ_NONE, make_square(5, 5), BISHOP}));
  EXPECT_EQ(to_csa(*parse_csa_move("-1199RY")), "-1199RY");
  EXPECT_EQ(to_csa(*parse_csa_move("+0011KI")), "+0011KI");
}

TEST(CsaMoveText, IsStrict) {
  for (const std::string_view wrong : {"", "+7776F", "+7776FU ", "+7776FU,", "7776FU", "*7776FU", "+0700FU", "+7700FU",
                                       "+7076FU", "+0776FU", "+7706FU", "+77a6FU", "+7776fu", "+7776ZZ", "+0000FU"}) {
    EXPECT_FALSE(parse_csa_move(wrong)) << wrong;
  }
}

TEST(Resolve, DeducesPromotion) {
  const Position position = at("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  EXPECT_EQ(resolve(position, *parse_csa_move("+8822KA")), Move::board(make_square(8, 8), make_square(2, 2), false));
  EXPECT_EQ(resolve(position, *parse_csa_move("+8822UM")), Move::board(make_square(8, 8), make_square(2, 2), true));
  EXPECT_EQ(resolve(position, *parse_csa_move("+0055KA")), Move::drop(BISHOP, make_square(5, 5)));
}

TEST(Resolve, RefusesWhatIsNoMove) {
  const Position position;
  for (const std::string_view wrong : {"-3334FU", "+7675FU", "+3334FU", "+7776KI", "+4938UM", "+0055TO", "+0055OU"}) {
    const auto csa = parse_csa_move(wrong);
    ASSERT_TRUE(csa) << wrong;
    EXPECT_FALSE(resolve(position, *csa)) << wrong;
    EXPECT_FALSE(why_unresolved(position, *csa).empty());
  }
  EXPECT_FALSE(resolve(position, CsaMove{BLACK, make_square(7, 7), make_square(7, 7), PAWN}));
  EXPECT_EQ(why_unresolved(position, *parse_csa_move("+7675FU")), "no own piece on 7f");
  EXPECT_EQ(why_unresolved(position, *parse_csa_move("+7776KI")), "the piece on 7g cannot become KI");
}

TEST(Resolve, DoesNotJudgeLegality) {
  EXPECT_TRUE(resolve(Position(), *parse_csa_move("+7733TO")));
  EXPECT_TRUE(resolve(Position(), *parse_csa_move("+0077FU")));
}

TEST(ToCsa, NamesThePieceAfterTheMove) {
  const Position position = at("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  for (const std::string_view text : {"+8822KA", "+8822UM", "+2726FU", "+0055GI"}) {
    EXPECT_EQ(to_csa(position, *resolve(position, *parse_csa_move(text))), text);
  }
}

TEST(CsaBoard, StartPosition) {
  EXPECT_EQ(csa_board(Position()),
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n"
            "P2 * -HI *  *  *  *  * -KA * \n"
            "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
            "P4 *  *  *  *  *  *  *  *  * \n"
            "P5 *  *  *  *  *  *  *  *  * \n"
            "P6 *  *  *  *  *  *  *  *  * \n"
            "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n"
            "P8 * +KA *  *  *  *  * +HI * \n"
            "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n"
            "+\n");
}

// The hands are ordered by name, as the records of shogi-server show: FU GI HI KA KE KI KY.
TEST(CsaBoard, HandsAndSideToMove) {
  const std::string board = csa_board(at("4k4/9/9/9/9/9/9/9/4K4 w RB2GS2N2L3Prb2g3s2n2l15p 1"));
  EXPECT_THAT(board, testing::EndsWith("P+00FU00FU00FU00GI00HI00KA00KE00KE00KI00KI00KY00KY\n"
                                       "P-00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU"
                                       "00GI00GI00GI00HI00KA00KE00KE00KI00KI00KY00KY\n-\n"));
}

}  // namespace
}  // namespace fuhyo::record
