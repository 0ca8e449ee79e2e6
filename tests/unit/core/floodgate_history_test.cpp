#include "server/core/floodgate/history.h"
#include "tests/unit/core/floodgate_field.h"

namespace fuhyo::core::floodgate {
namespace {

const Entrant a = player(0, 1500), b = player(1, 1500), c = player(2, 1500);

TEST(FloodgateHistory, TheLastHundredGamesAreKept) {
  History history;
  history.record(game(1, a, b, 1));
  for (std::size_t i = 1; i < History::kGames; ++i) history.record(game(2, b, c, 1));
  EXPECT_EQ(history.last_opponent(a.id), b.id);
  history.record(game(2, b, c, 1));
  EXPECT_EQ(history.last_games().size(), History::kGames);
  EXPECT_TRUE(history.won_last(b.id));
  EXPECT_EQ(history.last_opponent(a.id), "") << "the hundred and first pushed it out";
  EXPECT_EQ(history.last_met(a.id, b.id), 1u) << "who met whom is kept longer";
}

TEST(FloodgateHistory, StandingsCountColoursPointsAndByes) {
  History history;
  history.record(game(1, a, b, 1));
  history.record(game(2, a, c));
  EXPECT_EQ(history.standing(a.id).same_colour, 2);
  history.sit_out(b.id, 2);
  history.record(game(3, b, a, -1));
  const History::Standing of_a = history.standing(a.id);
  EXPECT_EQ(of_a.balance, 1);
  EXPECT_EQ(of_a.same_colour, -1) << "White once, after Black twice";
  EXPECT_EQ(of_a.half_points, 5);
  EXPECT_EQ(of_a.last_opponent, b.id);
  EXPECT_EQ(of_a.last_round, 3u);
  const History::Standing of_b = history.standing(b.id);
  EXPECT_EQ(of_b.balance, 0);
  EXPECT_EQ(of_b.half_points, 2);
  EXPECT_EQ(of_b.byes, 1);
  EXPECT_EQ(of_b.float_direction, 1) << "it met one with more points";
  EXPECT_EQ(history.newest_round(), 3u);
}

TEST(FloodgateHistory, ALongGameThatEndsLateIsNotTheLatestMeeting) {
  History history;
  history.record(game(5, a, b, 1));
  history.record(game(3, a, b, 1));  // paired earlier, ended later
  EXPECT_EQ(history.last_met(b.id, a.id), 5u);
  EXPECT_EQ(history.newest_round(), 5u);
}

TEST(FloodgateHistory, AGameAgainstAFillerIsASitOut) {
  History history;
  Played filled = game(7, a, b, 1);
  filled.filler = true;
  history.record(filled);
  EXPECT_EQ(history.standing(a.id).byes, 1);
  EXPECT_EQ(history.recent_byes(a.id, 8), 1);
  EXPECT_EQ(history.recent_byes(a.id, 7 + History::kRecentRounds), 1);
  EXPECT_EQ(history.recent_byes(a.id, 8 + History::kRecentRounds), 0);
  EXPECT_EQ(history.recent_byes("nobody", 8), 0);
}

TEST(FloodgateHistory, WhatIsLongAgoIsForgotten) {
  History history;
  history.record(game(1, a, b, 1));
  history.record(game(History::kRounds + 2, b, c, 1));
  EXPECT_EQ(history.last_met(a.id, b.id), 0u);
  EXPECT_EQ(history.standing(a.id).balance, 0);
  EXPECT_EQ(history.standing(b.id).half_points, 2) << "who still plays keeps its score";
}

}  // namespace
}  // namespace fuhyo::core::floodgate
