// Players against each other: who is before whom, and what counts.
#include "server/core/cross_table.h"

#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

using enum Outcome;

std::vector<std::string> order(const CrossTable& table) {
  std::vector<std::string> names;
  for (const CrossTable::Player& player : table.players) names.push_back(player.who);
  return names;
}

TEST(CrossTable, BothColoursAreOneMeetingAsTheBetterOneSeesIt) {
  const CrossTable table = CrossTable::of(
      {"a", "b", "c"},
      {{"a", "b", white_wins, 3}, {"b", "a", white_wins, 1}, {"b", "a", draw, 2}, {"c", "b", black_wins, 1}});
  EXPECT_EQ(table.players, (std::vector<CrossTable::Player>{{"b", {.games = 7, .wins = 3, .losses = 2, .draws = 2}},
                                                            {"a", {.games = 6, .wins = 1, .losses = 3, .draws = 2}},
                                                            {"c", {.games = 1, .wins = 1}}}));
  EXPECT_EQ(table.cells, (std::vector<CrossTable::Cell>{{0, 1, {.games = 6, .wins = 3, .losses = 1, .draws = 2}},
                                                        {0, 2, {.games = 1, .losses = 1}}}));
  EXPECT_EQ(table.players[0].tally.points(), 4);
}

TEST(CrossTable, PointsComeBeforeWinsBeforeTheRateBeforeTheName) {
  EXPECT_THAT(order(CrossTable::of({"a", "b", "z"}, {{"a", "z", draw, 5}, {"b", "z", black_wins, 2}})),
              ElementsAre("a", "z", "b"))
      << "2.5, 2.5 and 2 points";
  EXPECT_THAT(
      order(CrossTable::of(
          {"a", "b", "y", "z"},
          {{"a", "z", draw, 2}, {"a", "z", black_wins, 1}, {"b", "y", black_wins, 2}, {"b", "y", white_wins, 2}})),
      ElementsAre("b", "y", "a", "z"))
      << "of as many points the one with more wins, in however many games";
  EXPECT_THAT(order(CrossTable::of({"a", "b", "y", "z"},
                                   {{"a", "z", black_wins, 2}, {"a", "z", white_wins, 1}, {"b", "y", black_wins, 2}})),
              ElementsAre("b", "a", "z", "y"))
      << "2 of 2 is more than 2 of 3";
  EXPECT_THAT(order(CrossTable::of({"b", "c", "a"}, {})), ElementsAre("a", "b", "c"));
}

TEST(CrossTable, WhatDoesNotCount) {
  const CrossTable table = CrossTable::of(
      {"a", "b"}, {{"a", "a", black_wins, 1}, {"a", "b", none, 1}, {"a", "x", black_wins, 1}, {"x", "b", draw, 1}});
  EXPECT_EQ(table.players, (std::vector<CrossTable::Player>{{"a", {}}, {"b", {}}}));
  EXPECT_THAT(table.cells, IsEmpty());
}

}  // namespace
}  // namespace fuhyo::core
