// Start positions as hosts write them.
#include "server/core/buoys/start_position.h"

#include "engines/shogi/position.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kTwoPieces = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1";

std::string refusal(std::string_view text) {
  const auto read = read_start_position(text);
  EXPECT_FALSE(read.has_value()) << text;
  return read ? "" : read.error();
}

TEST(StartPosition, MovesOfABuoyKeepTheirTimesAndGetOneSecondWithout) {
  const auto read = read_buoy_moves("+7776FU,T12-3334FU+2726FU,T0");
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->sfen, shogi::Position::kStartSfen);
  EXPECT_THAT(read->moves, ElementsAre("+7776FU,T12", "-3334FU,T1", "+2726FU,T0"));
  const auto apart = read_buoy_moves("+7776FU,T12,-3334FU,+2726FU,T0");
  ASSERT_TRUE(apart.has_value()) << apart.error();
  EXPECT_EQ(apart->moves, read->moves);
}

TEST(StartPosition, MovesOfABuoyMustBeWholeLegalAndOfTheSideToMove) {
  for (const char* wrong : {"7776FU", "+7775FU", "+7776FU+2726FU", "+7776", "+7776FU,12", "+7776FU,T", "+7776FU,Tx",
                            "+7776FU,,", "+7776FU,T1234567", "", "-3334FU", "+7776FU-"}) {
    EXPECT_FALSE(read_buoy_moves(wrong).has_value()) << wrong;
  }
}

TEST(StartPosition, MovesThatRepeatThePositionFourTimesAreNoStart) {
  std::string moves;
  for (int i = 0; i < 3; ++i) moves += "+2838HI-8272HI+3828HI-7282HI";
  EXPECT_TRUE(read_buoy_moves(moves).has_value());
  const auto once_more = read_buoy_moves(moves + "+2838HI");
  ASSERT_FALSE(once_more.has_value());
  EXPECT_THAT(once_more.error(), HasSubstr("repetition"));
}

TEST(StartPosition, ReadsEveryWayOfWritingIt) {
  const std::vector<std::string> two = {"+7776FU,T1", "-3334FU,T1"};
  for (const char* text :
       {"startpos moves 7g7f 3c3d", "startpos 7g7f 3c3d", "+7776FU-3334FU", "startpos +7776FU-3334FU",
        "position startpos moves 7g7f 3c3d", "  startpos\tmoves +7776FU -3334FU  ",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d"}) {
    const auto read = read_start_position(text);
    ASSERT_TRUE(read.has_value()) << text << ": " << read.error();
    EXPECT_EQ(read->sfen, shogi::Position::kStartSfen) << text;
    EXPECT_EQ(read->moves, two) << text;
  }
}

TEST(StartPosition, AnySfenWithOrWithoutItsNumber) {
  for (const std::string_view text : {kTwoPieces, kTwoPieces.substr(0, kTwoPieces.size() - 2)}) {
    const auto read = read_start_position(text);
    ASSERT_TRUE(read.has_value()) << read.error();
    EXPECT_EQ(read->sfen, kTwoPieces);
    EXPECT_THAT(read->moves, IsEmpty());
  }
  // Hands, White to move, a promoted piece; a mate problem without Black's king.
  EXPECT_TRUE(read_start_position("4k4/9/4+P4/9/9/9/9/9/9 b 2G2r 1").has_value());
  const auto white = read_start_position("8k/9/9/9/9/9/9/9/K8 w Gg 7 moves G*5e");
  ASSERT_TRUE(white.has_value()) << white.error();
  EXPECT_THAT(white->moves, ElementsAre("-0055KI,T1"));
}

// A sign at the front is that of a move, or of a promoted piece in the corner.
TEST(StartPosition, ABoardMayBeginWithAPromotedPiece) {
  constexpr std::string_view kTokin = "+P3k4/9/9/9/9/9/9/9/4K4 b - 1";
  for (const std::string front : {"", "sfen ", "position sfen "}) {
    const auto read = read_start_position(front + std::string(kTokin) + " moves 9a9b");
    ASSERT_TRUE(read.has_value()) << read.error();
    EXPECT_EQ(read->sfen, kTokin);
    EXPECT_THAT(read->moves, ElementsAre("+9192TO,T1"));
  }
  EXPECT_FALSE(read_buoy_moves(kTokin).has_value()) << "shogi-server's buoys are moves";
}

TEST(StartPosition, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(""), HasSubstr("no position"));
  EXPECT_THAT(refusal("lnsgkgsnl b - 1"), Not(IsEmpty()));
  EXPECT_THAT(refusal("startpos moves 7g7e"), HasSubstr("'7g7e' is not legal"));
  EXPECT_THAT(refusal("startpos moves resign"), HasSubstr("'resign' is not a move"));
  EXPECT_THAT(refusal("startpos -3334FU"), HasSubstr("-3334FU"));
  EXPECT_THAT(refusal("7k+R/8G/7+B1/9/9/9/9/9/K8 w - 1"), Not(IsEmpty()));
}

TEST(PositionSet, OneALineWithTitleAndComment) {
  const auto set = read_position_set(
      "# openings\r\n"
      "\n"
      "startpos moves 7g7f 3c3d | Yokofu | from the first round\r\n"
      "+2726FU|Static Rook\n" +
      std::string(kTwoPieces));
  ASSERT_TRUE(set.has_value()) << set.error();
  ASSERT_EQ(set->size(), 3U);
  EXPECT_EQ((*set)[0].title, "Yokofu");
  EXPECT_EQ((*set)[0].comment, "from the first round");
  EXPECT_EQ((*set)[1].title, "Static Rook");
  EXPECT_EQ((*set)[1].comment, "");
  EXPECT_EQ((*set)[2].sfen, kTwoPieces);
}

TEST(PositionSet, NamesTheLineThatIsWrong) {
  const auto set = read_position_set("startpos\n\nstartpos moves 7g7e\n");
  ASSERT_FALSE(set.has_value());
  EXPECT_THAT(set.error(), StartsWith("line 3: "));
  EXPECT_FALSE(read_position_set("# nothing\n").has_value());
}

}  // namespace
}  // namespace fuhyo::core
