// What a network is shown of games of Othello: every choice, from each of eight sides, with the result of who chose.
#include "engines/learn/othello/sample_source.h"

#include <bit>

#include "engines/learn/othello/records.h"
#include "engines/learn/othello/self_play.h"
#include "engines/othello/othello_game.h"
#include "engines/othello/symmetry.h"
#include "tests/unit/learn/othello/fake_network.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using OthelloSampleSourceTest = FolderTest;

TEST_F(OthelloSampleSourceTest, ShowEveryChoiceFromEightSides) {
  const auto games = games_of_corner_lovers(5);
  ASSERT_TRUE(write_othello(folder_ / "a", "", std::span(games).first(2)));
  ASSERT_TRUE(write_othello(folder_ / "b", "", std::span(games).subspan(2)));
  OthelloSampleSource source({folder_ / "a", folder_ / "b"});
  std::string said;
  ASSERT_TRUE(source.read([&](const std::string& line) { said += line; }));
  EXPECT_EQ(said, fmt::format("{} positions of 5 games", source.size()));
  ASSERT_EQ(source.symmetries(), 8U);
  std::size_t sample = 0;
  for (const OthelloRecord& game : games) {
    othello::Board end = othello::Board::start();
    for (const std::uint8_t move : game.moves) end.play(move);
    const int black = game.moves.size() % 2 == 0 ? end.lead() : -end.lead();
    othello::Board board = othello::Board::start();
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
      const int move = game.moves[ply];
      if (std::popcount(board.moves()) > 1) {
        const int ours = ply % 2 == 0 ? black : -black;
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
          policy::Example example;
          ASSERT_TRUE(source.fill(sample, static_cast<std::size_t>(symmetry), example));
          const othello::Board seen = othello::turned(board, symmetry);
          ASSERT_EQ(example.planes[0][0], seen.own);
          ASSERT_EQ(example.planes[1][0], seen.other);
          std::uint64_t labels = 0;
          for (const std::uint16_t label : example.labels) labels |= 1ULL << label;
          ASSERT_EQ(labels, seen.moves());
          ASSERT_EQ(example.labels[example.played], othello::turned_square(move, symmetry));
          ASSERT_EQ(example.value, ours > 0 ? 1.F : ours < 0 ? 0.F : 0.5F);
        }
        ++sample;
      }
      board.play(move);
    }
  }
  EXPECT_EQ(sample, source.size());
}

TEST_F(OthelloSampleSourceTest, AreForNetworksOfOthello) {
  const OthelloSampleSource source({});
  EXPECT_TRUE(source.fits(othello::default_shape()));
  EXPECT_FALSE(source.fits({.channels = 16, .blocks = 1}));
  OthelloSampleSource missing({"/nowhere/games-0.othello"});
  EXPECT_FALSE(missing.read([](const std::string&) {}));
}

}  // namespace
}  // namespace fuhyo::learn
