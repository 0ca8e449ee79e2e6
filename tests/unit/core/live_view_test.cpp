// What spectators see, folded from facts.
#include "server/core/live_view.h"

#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace fuhyo::core {
namespace {

constexpr GameId kShown{7};

class LiveViewTest : public testing::Test {
 protected:
  std::optional<LiveChange> add(Fact fact) { return view.apply(rows.emplace_back(Seq{++last}, std::move(fact))); }
  void open(GameId id) {
    GameOpened fact{.game = id, .room = "main", .csa_id = "ev+x+a+b+1", .game_name = "x-60-5"};
    fact.time = {.total_s = 60, .byoyomi_s = 5};
    fact.start_sfen = shogi::Position::kStartSfen;
    fact.at = Wall{10};
    fact.preset_moves = preset;
    add(fact);
  }
  void move(int ply, std::string csa, int remaining_s = 50) {
    add(MoveMade{
        .game = kShown, .ply = ply, .csa = std::move(csa), .spent_s = 3, .remaining_s = remaining_s, .at = Wall{20}});
  }
  const LiveGame& game(GameId id = kShown) { return view.games().at(id); }

  std::deque<Journaled> rows;
  std::vector<std::string> preset;
  std::uint64_t last = 0;
  LiveView view{2};
};

TEST_F(LiveViewTest, FollowsAGameFromPairingToEnd) {
  open(kShown);
  EXPECT_FALSE(game().phase.has_started());
  add(GameStarted{kShown, Wall{15}});
  EXPECT_TRUE(game().phase.runs());
  EXPECT_EQ(game().turn_since, Wall{15});
  move(1, "+7776FU", 57);
  move(2, "-3334FU", 41);
  EXPECT_EQ(game().remaining_s, (std::array{57, 41}));
  EXPECT_EQ(game().position->sfen(), "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  const auto change = add(GameEnded{.game = kShown, .kind = EndKind::toryo, .outcome = Outcome::black_wins});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->game.ended->outcome, Outcome::black_wins);
  EXPECT_EQ(change->seq, Seq{5});
  EXPECT_EQ(view.upto(), Seq{5});
}

TEST_F(LiveViewTest, PresetMovesAreOnTheBoard) {
  preset = {"+7776FU,T1", "-3334FU,T12"};
  open(kShown);
  EXPECT_EQ(game().moves, preset);
  move(3, "+8822UM");
  EXPECT_EQ(game().position->piece_on(shogi::make_square(2, 2)), shogi::make_piece(shogi::BLACK, shogi::HORSE));
}

TEST_F(LiveViewTest, APauseStopsTheClockAndItsEndStartsItWhereItStood) {
  open(kShown);
  add(GameStarted{kShown, Wall{15'000'000}});
  ASSERT_TRUE(add(GamePaused{.game = kShown, .used_us = 4'000'000, .at = Wall{19'000'000}}));
  EXPECT_EQ(game().paused_us, 4'000'000);
  ASSERT_TRUE(add(GameResumed{.game = kShown, .at = Wall{60'000'000}}));
  EXPECT_FALSE(game().paused_us);
  EXPECT_EQ(game().turn_since, Wall{56'000'000});
  EXPECT_FALSE(add(AdminActed{.who = "host"}));
}

TEST_F(LiveViewTest, AGameThatGoesOnBeginsWithTheClocksOfItsMove) {
  GameOpened fact{.game = kShown, .time = {.total_s = 60}, .preset_moves = {"+7776FU,T7", "-3334FU,T8"}};
  fact.start_sfen = shogi::Position::kStartSfen;
  fact.preset_spent = true;
  add(fact);
  EXPECT_EQ(game().remaining_s, (std::array{53, 52}));
}

TEST_F(LiveViewTest, AMissingMoveOrOneThatCannotBeTakesThePositionAway) {
  open(GameId{8});
  add(MoveMade{.game = GameId{8}, .ply = 1, .csa = "+7775FU"});
  EXPECT_FALSE(game(GameId{8}).position);
  open(kShown);
  move(2, "-3334FU");
  EXPECT_FALSE(game().position);
  move(3, "+2726FU");  // and it does not come back
  EXPECT_FALSE(game().position);
  EXPECT_EQ(game().moves.size(), 2u);
}

TEST_F(LiveViewTest, ARejectedGameIsShownOnceMoreAndGone) {
  open(kShown);
  const auto change = add(GameRejected{.game = kShown, .by = "bob"});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->game.opened.game, kShown);
  EXPECT_TRUE(view.games().empty());
}

TEST_F(LiveViewTest, OnlyTheNewestEndedGamesStay) {
  for (std::uint64_t id = 1; id <= 4; ++id) {
    open(GameId{id});
    if (id != 2) add(GameEnded{.game = GameId{id}});
  }
  EXPECT_FALSE(view.games().contains(GameId{1}));
  EXPECT_TRUE(view.games().contains(GameId{2}));  // it runs
  EXPECT_TRUE(view.games().contains(GameId{3}));
  EXPECT_TRUE(view.games().contains(GameId{4}));
}

TEST_F(LiveViewTest, UnknownGamesAndRecordLinesAreNobodysBusiness) {
  EXPECT_FALSE(add(MoveMade{.game = GameId{99}, .ply = 1, .csa = "+7776FU"}));
  open(kShown);
  EXPECT_FALSE(add(RecordNote{kShown, "Deferred %TORYO"}));
  EXPECT_EQ(view.upto(), Seq{3});
}

}  // namespace
}  // namespace fuhyo::core
