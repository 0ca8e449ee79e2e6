// Files of games of Othello: back as they were, and refused wherever they are cut off, damaged or no games.
#include "engines/learn/othello/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/learn/othello/self_play.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/learn/othello/fake_network.h"

namespace fuhyo::learn {
namespace {

using testing::HasSubstr;

std::vector<OthelloRecord> some_games() {
  OthelloPlayTerms terms;
  terms.search.playouts = 2;
  return *play_othello(std::make_unique<CornerLover>(), terms, 0, 3, {});
}

TEST(OthelloRecords, ComeBack) {
  const test::TemporaryFolder folder;
  const auto games = some_games();
  ASSERT_EQ(games.size(), 3U);
  ASSERT_TRUE(write_othello(folder / "a.othello", "by a test", games));
  const auto read = read_othello(folder / "a.othello");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->games, games);
  EXPECT_EQ(read->made_by, "by a test");
  ASSERT_TRUE(write_othello(folder / "a.othello", "none", {}));
  EXPECT_TRUE(read_othello(folder / "a.othello")->games.empty());
}

TEST(OthelloRecords, AreNotTakenAsWholeWhenTheyAreNot) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_othello(folder / "whole", "by a test", some_games()));
  const std::string whole = folder.read("whole");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = read_othello(folder.write("part", whole.substr(0, size)));
    ASSERT_FALSE(read) << size;
    ASSERT_THAT(read.error(), HasSubstr("part: "));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    ASSERT_FALSE(read_othello(folder.write("damaged", damaged))) << at;
  }
  ASSERT_FALSE(read_othello(folder.write("longer", whole + "x")));
  ASSERT_FALSE(read_othello(folder / "missing"));
}

TEST(OthelloRecords, AreGamesFromStartToEnd) {
  const test::TemporaryFolder folder;
  auto games = some_games();
  const auto error = [&] {
    EXPECT_TRUE(write_othello(folder / "a", "by a test", games));
    const auto read = read_othello(folder / "a");
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
