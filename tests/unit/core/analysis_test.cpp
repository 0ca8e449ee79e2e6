// Which moves are mistakes, by numbers made by hand; games as engines want them.
#include "server/core/analysis.h"

#include <initializer_list>

#include "engines/shogi/usi_move.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

AnalysedPosition position(Valuation value, std::string best = "1g1f") {
  return {.depth = 1, .nodes = 1, .lines = {{.value = value, .moves = {std::move(best)}}}};
}
AnalysedPosition chance(double black_wins, std::string best = "1g1f") {
  return position({.cp = 0, .mate = {}, .black_wins = black_wins}, std::move(best));
}

PlayedGame game_of(std::initializer_list<const char*> moves) {
  PlayedGame game;
  for (const char* move : moves) game.moves.push_back(*shogi::parse_usi_move(move));
  return game;
}

// The mark of Black's first move when Black's chance goes from one number to the other.
std::string mark(double before, double after) {
  const AnalysedGame positions{chance(before), chance(after)};
  const auto marks = mark_moves(game_of({"7g7f"}), positions);
  return marks.empty() ? "" : std::string(name_of(marks.front().kind));
}

TEST(MarkMovesTest, ByHowMuchTheChanceToWinFell) {
  EXPECT_EQ(mark(0.60, 0.51), "");
  EXPECT_EQ(mark(0.60, 0.50), "inaccuracy");
  EXPECT_EQ(mark(0.60, 0.41), "inaccuracy");
  EXPECT_EQ(mark(0.60, 0.40), "mistake");
  EXPECT_EQ(mark(0.60, 0.31), "mistake");
  EXPECT_EQ(mark(0.60, 0.30), "blunder");
  EXPECT_EQ(mark(0.99, 0.01), "blunder") << "from one side of decided to the other";
  EXPECT_EQ(mark(0.99, 0.95), "");
  EXPECT_EQ(mark(0.05, 0.0), "");
  EXPECT_EQ(mark(0.30, 0.60), "") << "better than the engine thought";
}

TEST(MarkMovesTest, FromTheSideOfWhoeverMoved) {
  // White gives away at ply 2 what Black gave him at ply 1.
  const AnalysedGame positions{chance(0.5), chance(0.15), chance(0.55), chance(0.55)};
  const auto marks = mark_moves(game_of({"7g7f", "3c3d", "2g2f"}), positions);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0].ply, 1);
  EXPECT_NEAR(marks[0].loss, 0.35, 1e-12);
  EXPECT_EQ(marks[1].ply, 2);
  EXPECT_NEAR(marks[1].loss, 0.40, 1e-12);
}

TEST(MarkMovesTest, WhereWhiteBegins) {
  PlayedGame game = game_of({"3c3d"});
  game.start = *shogi::Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_THAT(mark_moves(game, AnalysedGame{chance(0.5), chance(0.9)}),
              ElementsAre(Field(&MoveMark::kind, MarkKind::blunder)));
  EXPECT_THAT(mark_moves(game, AnalysedGame{chance(0.9), chance(0.5)}), IsEmpty());
}

TEST(MarkMovesTest, TheEnginesOwnMoveIsNoMistakeWhateverComesOfIt) {
  const AnalysedGame positions{chance(0.9, "7g7f"), chance(0.1)};
  EXPECT_THAT(mark_moves(game_of({"7g7f"}), positions), IsEmpty());
  EXPECT_EQ(mark_moves(game_of({"2g2f"}), positions).size(), 1U);
}

TEST(MarkMovesTest, AMateIsAWonGame) {
  const AnalysedGame missed{position(decided(shogi::BLACK, 5)), position(valuation_of_cp(0))};
  ASSERT_EQ(mark_moves(game_of({"7g7f"}), missed).size(), 1U);
  EXPECT_EQ(mark_moves(game_of({"7g7f"}), missed).front().loss, 0.5);
  const AnalysedGame slower{position(decided(shogi::BLACK, 5)), position(decided(shogi::BLACK, 21))};
  EXPECT_THAT(mark_moves(game_of({"7g7f"}), slower), IsEmpty());
  const AnalysedGame winning{position(decided(shogi::BLACK, std::nullopt)), position(valuation_of_cp(3'000))};
  EXPECT_THAT(mark_moves(game_of({"7g7f"}), winning), IsEmpty());
}

TEST(MarkMovesTest, WhatWasNotLookedAtIsNotJudged) {
  const AnalysedGame positions{chance(0.9), std::nullopt, chance(0.1)};
  EXPECT_THAT(mark_moves(game_of({"7g7f", "3c3d", "2g2f", "8c8d"}), positions), IsEmpty());
  EXPECT_THAT(mark_moves(game_of({"7g7f"}), {}), IsEmpty());
}

TEST(ValuationTest, FromBlacksSide) {
  EXPECT_EQ(valuation_of_cp(0).black_wins, 0.5);
  EXPECT_NEAR(valuation_of_cp(600).black_wins, 0.7310585786, 1e-9);
  EXPECT_EQ(decided(shogi::WHITE, 7).mate, -7);
  EXPECT_EQ(decided(shogi::WHITE, 7).black_wins, 0);
  EXPECT_EQ(decided(shogi::BLACK, 3).mate, 3);
  EXPECT_EQ(decided(shogi::BLACK, std::nullopt).mate, std::nullopt);
}

TEST(PlayedGameTest, MovesUpToTheFirstThatIsNone) {
  FinishedGame game;
  game.opened.game = GameId{7};
  game.opened.start_sfen = shogi::Position::kStartSfen;
  game.opened.max_moves = 256;
  game.moves = "+7776FU,T1 -3334FU,T2 +5554FU,T1 -8384FU,T1";
  const auto played = played_game(game);
  ASSERT_TRUE(played);
  EXPECT_EQ(played->id, GameId{7});
  EXPECT_EQ(played->max_moves, 256);
  ASSERT_EQ(played->moves.size(), 2U);
  EXPECT_EQ(shogi::to_usi(played->moves[1]), "3c3d");
  game.opened.start_sfen = "nothing";
  EXPECT_FALSE(played_game(game));
}

}  // namespace
}  // namespace fuhyo::core
