#include "engines/shogi/usi_move.h"

#include <gtest/gtest.h>

namespace fuhyo::shogi {
namespace {

TEST(UsiMove, IsReadAndWritten) {
  EXPECT_EQ(parse_usi_move("7g7f"), Move::board(make_square(7, 7), make_square(7, 6), false));
  EXPECT_EQ(parse_usi_move("8h2b+"), Move::board(make_square(8, 8), make_square(2, 2), true));
  EXPECT_EQ(parse_usi_move("P*5e"), Move::drop(PAWN, make_square(5, 5)));
  for (const char* text : {"7g7f", "8h2b+", "P*5e", "L*1a", "N*9i", "S*1i", "G*9a", "B*5e", "R*5e", "1a9i", "9i1a+"}) {
    const auto move = parse_usi_move(text);
    ASSERT_TRUE(move.has_value()) << text;
    EXPECT_EQ(to_usi(*move), text);
  }
}

TEST(UsiMove, RefusesEverythingElse) {
  for (const char* text : {"",       " ",      "7",    "7g",    "7g7",  "7g7f ", " 7g7f", "7g7f++",         "7g7f=",
                           "7g7f+ ", "7G7F",   "0g7f", "7g7j",  "7g0f", "7j7f",  "a1b2",  "7g7g",           "7g7g+",
                           "P*5e+",  "p*5e",   "K*5e", "+P*5e", "P5e",  "P*5",   "P*5j",  "P**e",           "**5e",
                           " *5e",   "resign", "win",  "none",  "0000", "null",  "7g7f7", "\xef\xbc\x97g7f"}) {
    EXPECT_FALSE(parse_usi_move(text).has_value()) << '"' << text << '"';
  }
  EXPECT_FALSE(parse_usi_move(std::string_view("7g\0f", 4)).has_value());
}

}  // namespace
}  // namespace fuhyo::shogi
