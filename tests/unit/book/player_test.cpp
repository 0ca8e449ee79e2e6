// A book as an engine plays from it.
#include "engines/book/player.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engines/shogi/usi_move.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::book {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kBook =
    "#YANEURAOU-DB2016 1.00\n"
    "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n"
    "2g2f 8c8d 30 20 1\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
    "3c3d none -30 20 7\n"
    "8c8d 2g2f -55 20 2\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
    "9i9a 8c8d 45 20 80\n"
    "7g7f 3c3d 40 20 90\n"
    "2g2f 8c8d 45 20 30\n"
    "6i7h none 0 20 5\n";

class BookPlayer : public ::testing::Test {
 protected:
  BookPlayer() {
    Player::add_options(options);
    set("BookDir", folder.path().string());
    set("BookFile", "test.db");
    folder.write("test.db", std::string(kBook));
  }

  void set(std::string_view name, std::string_view value) { ASSERT_TRUE(options.set(name, value)) << name; }
  std::vector<std::string> update() { return player.update(options); }

  // "bestmove ..."; what was said is in `said`.
  std::string ask(std::string_view position = "startpos", const usi::GoLimits& limits = {.byoyomi_ms = 1'000}) {
    const auto game = usi::parse_position(position);
    EXPECT_TRUE(game) << game.error();
    said.clear();
    return usi::to_text(
        player.choose(*game, limits, options, [&](const usi::Info& info) { said.push_back(usi::to_text(info)); }));
  }
  // Every answer that comes within so many questions.
  std::set<std::string> answers(std::string_view position = "startpos") {
    std::set<std::string> all;
    for (int i = 0; i < 100; ++i) all.insert(ask(position));
    return all;
  }

  test::TemporaryFolder folder;
  usi::OptionTable options;
  Player player{1};
  std::vector<std::string> said;
};

constexpr std::string_view kNothing = "bestmove resign";

TEST_F(BookPlayer, OptionsAreYaneuraOus) {
  usi::OptionTable fresh;
  Player::add_options(fresh);
  for (const auto& [name, value] : std::map<std::string, std::string>{{"USI_OwnBook", "true"},
                                                                      {"BookFile", "standard_book.db"},
                                                                      {"BookDir", "book"},
                                                                      {"BookMoves", "16"},
                                                                      {"BookIgnoreRate", "0"},
                                                                      {"NarrowBook", "false"},
                                                                      {"BookEvalDiff", "30"},
                                                                      {"BookEvalBlackLimit", "0"},
                                                                      {"BookEvalWhiteLimit", "-140"},
                                                                      {"BookDepthLimit", "16"},
                                                                      {"BookOnTheFly", "false"},
                                                                      {"ConsiderBookMoveCount", "false"},
                                                                      {"BookPvMoves", "8"},
                                                                      {"IgnoreBookPly", "false"},
                                                                      {"FlippedBook", "true"}}) {
    ASSERT_NE(fresh.find(name), nullptr) << name;
    EXPECT_EQ(fresh.find(name)->value, value) << name;
  }
}

TEST_F(BookPlayer, TellsOfEveryCandidateAndPlaysOne) {
  EXPECT_THAT(update(), ElementsAre(HasSubstr("test.db: 3 positions")));
  EXPECT_THAT(answers(), ElementsAre("bestmove 2g2f ponder 8c8d", "bestmove 7g7f ponder 3c3d"));
  set("BookEvalDiff", "0");
  set("BookEvalBlackLimit", "46");
  EXPECT_EQ(ask(), kNothing);  // the best is worth 45
  set("BookEvalBlackLimit", "0");
  set("ConsiderBookMoveCount", "true");
  ASSERT_THAT(answers(), ElementsAre("bestmove 2g2f ponder 8c8d", "bestmove 7g7f ponder 3c3d"));
  while (ask() != "bestmove 7g7f ponder 3c3d") {
  }
  EXPECT_THAT(
      said,
      ElementsAre("info string Error! the book has an illegal move: 9i9a in "
                  "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                  "info depth 20 multipv 1 score cp 40 nodes 0 nps 0 time 0 hashfull 0 pv 7g7f 3c3d 2g2f 8c8d (72.00%)",
                  "info depth 20 multipv 2 score cp 45 nodes 0 nps 0 time 0 hashfull 0 pv 2g2f 8c8d (24.00%)",
                  "info depth 20 multipv 3 score cp 0 nodes 0 nps 0 time 0 hashfull 0 pv 6i7h (4.00%)",
                  "info string BookEvalDiff 0, limit of the evaluation 0: 2 of 3 book moves remain",
                  "info depth 20 multipv 1 score cp 40 nodes 0 nps 0 time 0 hashfull 0 pv 7g7f 3c3d 2g2f 8c8d"));
}

TEST_F(BookPlayer, PvMoves) {
  update();
  for (const auto& [moves, pv] : std::map<std::string, std::string>{
           {"1", "7g7f"}, {"2", "7g7f 3c3d"}, {"3", "7g7f 3c3d 2g2f"}, {"246", "7g7f 3c3d 2g2f 8c8d"}}) {
    set("BookPvMoves", moves);
    ask();
    EXPECT_THAT(said, ::testing::Contains(::testing::EndsWith("pv " + pv + " (72.00%)"))) << moves;
  }
}

TEST_F(BookPlayer, AskedOnlyWhereAMoveIsToBePlayed) {
  update();
  for (const usi::GoLimits& limits : {usi::GoLimits{.infinite = true}, usi::GoLimits{.mate_ms = 100},
                                      usi::GoLimits{.searchmoves = {*shogi::parse_usi_move("7g7f")}}}) {
    EXPECT_EQ(ask("startpos", limits), kNothing);
    EXPECT_THAT(said, IsEmpty());
  }
  EXPECT_NE(ask("startpos", {.ponder = true}), kNothing);
  EXPECT_NE(ask("startpos", {.nodes = 100}), kNothing);
  set("USI_OwnBook", "false");
  update();
  EXPECT_EQ(ask(), kNothing);
}

TEST_F(BookPlayer, BookMovesAndIgnoreRate) {
  update();
  set("BookMoves", "2");
  EXPECT_NE(ask("startpos moves 7g7f"), kNothing);
  EXPECT_EQ(ask("startpos moves 7g7f 3c3d"), kNothing);
  set("BookMoves", "3");
  EXPECT_NE(ask("startpos moves 7g7f 3c3d"), kNothing);
  set("BookIgnoreRate", "100");
  EXPECT_THAT(answers(), ElementsAre(kNothing));
  set("BookIgnoreRate", "50");
  int ignored = 0;
  for (int i = 0; i < 1'000; ++i) ignored += ask() == kNothing ? 1 : 0;
  EXPECT_NEAR(ignored, 500, 80);
}

TEST_F(BookPlayer, LimitsAreOfTheSideToMove) {
  update();
  set("BookEvalWhiteLimit", "-30");
  EXPECT_EQ(ask("startpos moves 7g7f"), "bestmove 3c3d ponder 2g2f");
  set("BookEvalWhiteLimit", "-29");
  EXPECT_EQ(ask("startpos moves 7g7f"), kNothing);
  set("BookEvalWhiteLimit", "-140");
  set("BookDepthLimit", "21");
  EXPECT_EQ(ask("startpos moves 7g7f"), kNothing);
  EXPECT_THAT(said.back(), HasSubstr("BookDepthLimit"));
}

// The same position two plies later, and with the colours changed.
TEST_F(BookPlayer, MoveNumbersAndTheOtherSideOfTheBoard) {
  update();
  const std::string later = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 4";
  const std::string turned = "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2";
  const std::string turned_later = "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 4";
  set("BookEvalDiff", "0");
  set("BookEvalBlackLimit", "-100");
  EXPECT_EQ(ask(later), kNothing);
  EXPECT_EQ(ask(turned), "bestmove 7g7f ponder 8c8d");
  EXPECT_EQ(ask(turned_later), kNothing);
  set("IgnoreBookPly", "true");
  EXPECT_EQ(ask(later), "bestmove 3c3d ponder 2g2f");
  EXPECT_EQ(ask(turned_later), "bestmove 7g7f ponder 8c8d");
  set("FlippedBook", "false");
  EXPECT_EQ(ask(turned), kNothing);
}

TEST_F(BookPlayer, MatesAreShownAsMates) {
  folder.write("test.db", "sfen " + std::string(shogi::Position::kStartSfen) + "\n7g7f none 31995 99 1\n");
  update();
  ask();
  EXPECT_THAT(said.back(), HasSubstr("score mate +5 "));
}

TEST_F(BookPlayer, PerpetualCheckIsNotPlayed) {
  // Black checks along the rank; the fourth time would lose.
  folder.write("test.db", "sfen 9/9/7R1/4k4/9/9/9/9/4K4 b - 1\n2c2d none 0 20 1\n");
  set("IgnoreBookPly", "true");
  set("BookMoves", "100");
  update();
  std::string game = "sfen 9/9/9/4k4/9/9/9/9/4K2R1 b - 1 moves 2i2d 5d5c 2d2c 5c5d";
  EXPECT_EQ(ask(game), "bestmove 2c2d");
  for (int i = 0; i < 2; ++i) game += " 2c2d 5d5c 2d2c 5c5d";
  EXPECT_EQ(ask(game), kNothing);
  EXPECT_THAT(said, ElementsAre(HasSubstr("2c2d")));
}

TEST_F(BookPlayer, AMissingFileIsToldOfIfSomebodyNamedIt) {
  set("BookFile", "other.db");
  EXPECT_THAT(update(), ElementsAre(HasSubstr("other.db: there is no such file; playing without a book")));
  EXPECT_EQ(ask(), kNothing);
  EXPECT_EQ(update().size(), 1U);  // every time
  for (const char* none : {"no_book", ""}) {
    set("BookFile", none);
    EXPECT_THAT(update(), IsEmpty());
    EXPECT_EQ(ask(), kNothing);
  }
  usi::OptionTable fresh;
  Player::add_options(fresh);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_THAT(player.update(fresh), IsEmpty());
  std::filesystem::create_directory("book");
  folder.write("book/standard_book.db", std::string(kBook));
  EXPECT_THAT(player.update(fresh), ElementsAre(HasSubstr("book/standard_book.db: 3 positions")));
  std::filesystem::current_path(before);
}

TEST_F(BookPlayer, AFileThatChangedIsReadAgain) {
  EXPECT_EQ(update().size(), 1U);
  EXPECT_THAT(update(), IsEmpty());
  folder.write("test.db", std::string(kBook) + "# longer\n");
  EXPECT_EQ(update().size(), 1U);
  set("BookOnTheFly", "true");
  EXPECT_THAT(update(), ElementsAre(HasSubstr("searched on disk")));
  EXPECT_THAT(answers(), ElementsAre("bestmove 2g2f ponder 8c8d", "bestmove 7g7f ponder 3c3d"));
  // A file that shrinks under a search on disk is a book that knows less.
  folder.write("test.db", "");
  EXPECT_EQ(ask(), kNothing);
}

TEST_F(BookPlayer, TheSameBookAsYbbTakesThePlaceOfAMissingDb) {
  std::filesystem::rename(folder.path() / "test.db", folder.path() / "other.db");
  folder.write("test.ybb", "nonsense");
  EXPECT_THAT(update(), ElementsAre(HasSubstr("test.ybb: it does not begin as a .ybb does; playing without a book")));
  set("BookFile", (folder.path() / "other.db").string());
  EXPECT_THAT(update(), ElementsAre(HasSubstr("other.db: 3 positions")));
}

}  // namespace
}  // namespace fuhyo::book
