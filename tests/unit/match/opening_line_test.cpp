// Lines of openings in every spelling, and what is wrong with those that are none.
#include "engines/match/opening_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

// "position ..." of the game, and the name in front of it.
std::string read(std::string_view line, std::optional<int> max_plies = std::nullopt) {
  const auto opening = parse_opening(line, max_plies);
  if (!opening) return "error: " + opening.error();
  if (!*opening) return "nothing";
  const Opening& got = **opening;
  return (got.name.empty() ? "" : got.name + ": ") + usi::position_text(got.game.start, got.game.moves);
}

const std::string kTwo = "position startpos moves 7g7f 3c3d";

TEST(OpeningLine, ReadsUsi) {
  EXPECT_EQ(read("startpos moves 7g7f 3c3d"), kTwo);
  EXPECT_EQ(read("position startpos moves 7g7f 3c3d\r"), kTwo);
  EXPECT_EQ(read("startpos 7g7f 3c3d"), kTwo);
  EXPECT_EQ(read("  7g7f\t3c3d  "), kTwo);
  EXPECT_EQ(read("startpos"), "position startpos");
  EXPECT_EQ(read("startpos moves"), "position startpos");
}

TEST(OpeningLine, ReadsPositions) {
  const std::string board = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -";  // two pieces down
  EXPECT_EQ(read("sfen " + board + " 1"), "position sfen " + board + " 1");
  EXPECT_EQ(read(board), "position sfen " + board + " 1");
  EXPECT_EQ(read(board + " 7 moves 3c3d 7g7f"), "position sfen " + board + " 7 moves 3c3d 7g7f");
  EXPECT_EQ(read("sfen " + board + " moves 3c3d"), "position sfen " + board + " 1 moves 3c3d");
  EXPECT_EQ(read("+P3k4/9/9/9/9/9/9/9/4K4 b G 1"), "position sfen +P3k4/9/9/9/9/9/9/9/4K4 b G 1");
}

TEST(OpeningLine, ReadsCsaAndBuoys) {
  EXPECT_EQ(read("+7776FU-3334FU"), kTwo);
  EXPECT_EQ(read("+7776FU,T12,-3334FU,T1"), kTwo);
  EXPECT_EQ(read("startpos moves +7776FU -3334FU"), kTwo);
  EXPECT_EQ(read("yokofu +7776FU-3334FU"), "yokofu: " + kTwo);
  EXPECT_EQ(read("tsec1 startpos moves 7g7f 3c3d"), "tsec1: " + kTwo);
  EXPECT_EQ(read("%%SETBUOY buoy_a-900-0 +7776FU-3334FU"), "buoy_a-900-0: " + kTwo);
  EXPECT_EQ(read("%%SETBUOY buoy_a-900-0 +7776FU-3334FU 5"), "buoy_a-900-0: " + kTwo);
  EXPECT_EQ(read("%%SETBUOYSFEN buoy_a-900-0 startpos 7g7f 3c3d 5"), "buoy_a-900-0: " + kTwo);
}

TEST(OpeningLine, TakesTheNameBehindABar) {
  EXPECT_EQ(read("7g7f 3c3d | Yokofu | from the first round"), "Yokofu: " + kTwo);
  EXPECT_EQ(read("buoy +7776FU-3334FU | Yokofu"), "Yokofu: " + kTwo);
}

TEST(OpeningLine, SaysNothingForWhatSaysNothing) {
  for (const std::string_view line : {"", "   ", "\r", "# a comment", "  # 7g7f"}) EXPECT_EQ(read(line), "nothing");
  EXPECT_EQ(read("7g7f 3c3d # the rest is left out 2g2f"), kTwo);
}

TEST(OpeningLine, CutsWhatIsTooLong) {
  EXPECT_EQ(read("7g7f 3c3d 2g2f", 2), kTwo);
  EXPECT_EQ(read("7g7f 3c3d", 2), kTwo);
  EXPECT_EQ(read("7g7f 3c3d", 0), "position startpos");
}

TEST(OpeningLine, NamesWhatIsWrong) {
  EXPECT_THAT(read("7g7f 3c3x"), HasSubstr("'3c3x' is not a move"));
  EXPECT_THAT(read("7g7f 7f7e"), HasSubstr("move 2, '7f7e', is illegal"));
  EXPECT_THAT(read("7g7f 7f7e", 1), HasSubstr("move 2"));  // also behind the cut
  EXPECT_THAT(read("+7776FU-7675FU"), HasSubstr("'-7675FU'"));
  EXPECT_THAT(read("+7776F"), HasSubstr("'+7776F' is not a move"));
  EXPECT_THAT(read("sfen"), HasSubstr("error: "));
  EXPECT_THAT(read("lnsgkgsnl/1r5b1 b - 1"), HasSubstr("2 ranks instead of 9"));
  EXPECT_THAT(read("name"), HasSubstr("'name' is not a move"));
  EXPECT_THAT(read("name 7g7f"), HasSubstr("'name' is not a move"));
  EXPECT_THAT(read("| name"), HasSubstr("no position"));
  EXPECT_THAT(read("7g7f 5"), HasSubstr("'5' is not a move"));  // only buoys have a count
  EXPECT_THAT(read("7g7f " + std::string(100, 'x') + "\x01"), HasSubstr("xxx...'"));
  EXPECT_THAT(read("7g7f \x01z\xE3"), HasSubstr("'?z?'"));
}

TEST(OpeningLine, RefusesGamesThatAreOver) {
  EXPECT_THAT(read("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), HasSubstr("no legal move"));
  std::string moves;
  for (int i = 0; i < 3; ++i) moves += " 2h3h 8b7b 3h2h 7b8b";
  EXPECT_THAT(read("startpos moves" + moves), HasSubstr("fourth time"));
  EXPECT_THAT(read("startpos moves" + moves, 11), HasSubstr("position startpos moves 2h3h"));
}

}  // namespace
}  // namespace fuhyo::match
