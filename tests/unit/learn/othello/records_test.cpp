// Files of games of Othello: back as they were, and refused wherever they are cut off, damaged or no games.
#include "engines/learn/othello/records.h"

#include "engines/learn/othello/self_play.h"
#include "tests/unit/learn/othello/fake_network.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using OthelloRecords = FolderTest;

TEST_F(OthelloRecords, ComeBack) {
  const auto games = games_of_corner_lovers(3);
  ASSERT_EQ(games.size(), 3U);
  ASSERT_TRUE(write_othello(folder_ / "a.othello", "by a test", games));
  const auto read = must(read_othello(folder_ / "a.othello"));
  EXPECT_EQ(read.games, games);
  EXPECT_EQ(read.made_by, "by a test");
  ASSERT_TRUE(write_othello(folder_ / "a.othello", "none", {}));
  EXPECT_TRUE(read_othello(folder_ / "a.othello")->games.empty());
}

TEST_F(OthelloRecords, AreNotTakenAsWholeWhenTheyAreNot) {
  ASSERT_TRUE(write_othello(folder_ / "whole", "by a test", games_of_corner_lovers(3)));
  const std::string whole = folder_.read("whole");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = read_othello(folder_.write("part", whole.substr(0, size)));
    ASSERT_FALSE(read) << size;
    ASSERT_THAT(read.error(), HasSubstr("part: "));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    ASSERT_FALSE(read_othello(folder_.write("damaged", flipped(whole, at, 4)))) << at;
  }
  ASSERT_FALSE(read_othello(folder_.write("longer", whole + "x")));
  ASSERT_FALSE(read_othello(folder_ / "missing"));
}

TEST_F(OthelloRecords, AreGamesFromStartToEnd) {
  auto games = games_of_corner_lovers(3);
  const auto error = [&] {
    EXPECT_TRUE(write_othello(folder_ / "a", "by a test", games));
    const auto read = read_othello(folder_ / "a");
    return read ? "" : read.error().substr(read.error().find(": ") + 2);
  };
  games[1].moves[0] = 0;
  EXPECT_EQ(error(), "game 2: move 1 is illegal");
  games[1].moves[0] = 64;
  EXPECT_EQ(error(), "game 2: move 1 is illegal");
  games[1].moves.clear();
  EXPECT_EQ(error(), "game 2: it has no end");
  games[1] = games[2];
  games[1].moves.push_back(64);
  EXPECT_THAT(error(), HasSubstr("is illegal"));
  games[1].moves.resize(games[2].moves.size() - 1);
  EXPECT_EQ(error(), "game 2: it has no end");
}

}  // namespace
}  // namespace fuhyo::learn
