// A finished game as spectators, record files and the search by position see it.
#include "server/core/games/finished_game.h"

#include "server/core/live_view.h"
#include "server/core/position_key.h"
#include "server/core/record_text.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

FinishedGame finished() {
  FinishedGame game;
  game.opened.game = GameId{7};
  game.opened.csa_id = "ev+x-60-5+a+b+20260701000000";
  game.opened.game_name = "x-60-5";
  game.opened.black.name = "a";
  game.opened.white.name = "b";
  game.opened.time = {.total_s = 60, .byoyomi_s = 5};
  game.opened.start_sfen = shogi::Position::kStartSfen;
  game.opened.preset_moves = {"+7776FU,T1"};
  game.moves = "+7776FU,T1 -3334FU,T12 +2726FU,T61 -8384FU,T3";
  game.notes = "1 ' before all\n2 * * 30 +2726FU\n3 *  paused by host\n3 *  resumed by host\n4 ' late\n";
  game.ended = {.game = GameId{7}, .kind = EndKind::toryo, .outcome = Outcome::black_wins, .plies = 4};
  return game;
}

TEST(FinishedGameTest, LooksAsItDidWhenItEnded) {
  const LiveGame game(story_of(finished()));
  EXPECT_THAT(game.moves, ElementsAre("+7776FU,T1", "-3334FU,T12", "+2726FU,T61", "-8384FU,T3"));
  EXPECT_EQ(game.comments_on(1), "");
  EXPECT_EQ(game.comments_on(2), "* 30 +2726FU");
  EXPECT_EQ(game.comments_on(3), " paused by host\n resumed by host");
  EXPECT_EQ(game.comments_on(4), "");
  EXPECT_EQ(game.remaining_s, (std::array{0, 45})) << "Black's main time is used up";
  EXPECT_EQ(game.position->sfen(), "lnsgkgsnl/1r5b1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 5");
  EXPECT_EQ(game.ended->outcome, Outcome::black_wins);
}

TEST(FinishedGameTest, BrokenRowsAreShownAsFarAsTheyGo) {
  FinishedGame game = finished();
  game.moves = "+7776FU,T1 nonsense  +2726FU,Tx";
  game.notes = "x ' y\n\n9 ' late\n2";
  const LiveGame live(story_of(game));
  EXPECT_EQ(live.moves.size(), 3U);
  EXPECT_FALSE(live.position);
  EXPECT_EQ(occurrences(game.opened.start_sfen, game.moves).size(), 2U);
  EXPECT_TRUE(occurrences("nonsense", game.moves).empty());
}

TEST(FinishedGameTest, ItsRecordIsTheOneThatWasWrittenMoveByMove) {
  const FinishedGame game = finished();
  const GameId id{7};
  const std::string expected =
      record_head(game.opened) + record_note({id, "before all"}) +
      record_move({.game = id, .ply = 2, .csa = "-3334FU", .spent_s = 12, .comment = "* 30 +2726FU"}) +
      record_move({.game = id, .ply = 3, .csa = "+2726FU", .spent_s = 61}) +
      record_lines(GamePaused{.game = id, .by = "host"}) + record_lines(GameResumed{.game = id, .by = "host"}) +
      record_move({.game = id, .ply = 4, .csa = "-8384FU", .spent_s = 3}) + record_note({id, "late"}) +
      record_end(game.opened, game.ended);
  EXPECT_EQ(record_text(story_of(game)), expected);
  EXPECT_THAT(expected, HasSubstr("'** 30 +2726FU\n"));
}

TEST(FinishedGameTest, TheRecordOfARunningGameHoldsBackWhatSpectatorsMustNotSee) {
  GameStory game = story_of(finished());
  game.ended.reset();
  EXPECT_THAT(record_text(game, {.comments = true, .others = false}), HasSubstr("'** 30"));
  const std::string without = record_text(game, {.comments = false, .others = false});
  EXPECT_THAT(without, Not(HasSubstr("'** 30")));
  EXPECT_TRUE(without.ends_with("-8384FU\nT3\n")) << without;
}

TEST(FinishedGameTest, ItsStoryMakesTheSameRow) { EXPECT_EQ(finished_game(story_of(finished())), finished()); }

TEST(PositionKeyTest, MeansTheSameForEver) {
  // Stores hold these numbers.
  EXPECT_EQ(position_key(shogi::Position()), 692365304600087529);
  const auto key = [](std::string_view sfen) { return position_key(*shogi::Position::from_sfen(sfen)); };
  EXPECT_EQ(key("4k4/9/9/9/9/9/9/9/4K4 b P 1"), key("4k4/9/9/9/9/9/9/9/4K4 b P 77"));
  EXPECT_NE(key("4k4/9/9/9/9/9/9/9/4K4 b P 1"), key("4k4/9/9/9/9/9/9/9/4K4 w P 1"));
  EXPECT_NE(key("4k4/9/9/9/9/9/9/9/4K4 b P 1"), key("4k4/9/9/9/9/9/9/9/4K4 b p 1"));
}

TEST(PositionKeyTest, APositionThatComesBackCountsOnce) {
  const auto found =
      occurrences(std::string(shogi::Position::kStartSfen), "+2818HI,T1 -8292HI,T1 +1828HI,T1 -9282HI,T1 +7776FU,T1");
  std::vector<std::string> moves;
  for (const Occurrence& one : found) moves.push_back(one.move);
  EXPECT_THAT(moves, ElementsAre("2h1h", "8b9b", "1h2h", "9b8b", ""));
}

}  // namespace
}  // namespace fuhyo::core
