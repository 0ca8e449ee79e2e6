// Start positions out of floodgate's records: which games count, which positions are frequent.
#include "engines/learn/data/frequent_positions.h"

#include "engines/learn/generate/self_play.h"
#include "engines/record/csa_reader.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

struct FloodgateGame {
  std::string black = "3012.5", white = "2500.0";
  int plies = 80;
  std::string first = "+7776FU\n-3334FU\n", end = "%TORYO\n";
};

// Kings that walk to and fro after two moves, as floodgate records a game.
record::Game game(const FloodgateGame& sample) {
  std::string text =
      "N+a\nN-b\n'black_rate:a+0123:" + sample.black + "\n'white_rate:b+4567:" + sample.white + "\nPI\n+\n";
  text += sample.first;
  const char* walk[] = {"+5958OU\n", "-5152OU\n", "+5859OU\n", "-5251OU\n"};
  for (int i = 2; i < sample.plies; ++i) text += walk[(i - 2) % 4];
  return record::parse_csa(text + sample.end)->front().game;
}

TEST(FrequentPositions, CountGamesByTheRules) {
  FrequentPositions positions({});
  const FloodgateGame kGames[] = {
      {},                                      // counts
      {.black = "2500.0", .white = "3000.0"},  // counts
      {.black = "2999.9"},
      {.plies = 79},
      {.end = "%SENNICHITE\n"},
      {.end = "%TORYO\n'summary:oute_sennichite:a lose:b win\n"},
  };
  for (const FloodgateGame& sample : kGames) ASSERT_TRUE(positions.add(game(sample)));
  EXPECT_EQ(positions.counts().games, 2U);
  EXPECT_EQ(positions.counts().unrated, 1U);
  EXPECT_EQ(positions.counts().too_short, 1U);
  EXPECT_EQ(positions.counts().repeated, 2U);
  EXPECT_EQ(positions.counts().positions, 2U * 26);
  FrequentPositions both({.both = true});
  ASSERT_TRUE(both.add(game({})));
  EXPECT_EQ(both.counts().unrated, 1U);
}

TEST(FrequentPositions, AreThoseAtOrAboveThePercentile) {
  // The start occurs ten times, one position behind it six times, others three times and once.
  const auto positions = [](double percentile) {
    FrequentPositions out({.least_plies = 2, .first_plies = 2, .percentile = percentile});
    for (const auto& [first, times] : {std::pair{"+7776FU", 6}, {"+2726FU", 3}, {"+6766FU", 1}}) {
      const auto played = game({.plies = 2, .first = first + std::string("\n-3334FU\n")});
      for (int i = 0; i < times; ++i) EXPECT_TRUE(out.add(played));
    }
    return out;
  };
  const std::pair<double, std::uint32_t> kThresholds[] = {{0, 1}, {50, 4}, {100, 10}, {99, 9}, {34, 3}};
  for (const auto& [percentile, least] : kThresholds) EXPECT_EQ(positions(percentile).threshold(), least) << percentile;
  FrequentPositions half = positions(50);
  EXPECT_EQ(half.distinct(), 4U);  // 1, 3, 6, 10
  const auto frequent = half.frequent();
  ASSERT_EQ(frequent.size(), 2U);
  EXPECT_EQ(frequent[0].count, 10U);
  EXPECT_EQ(frequent[0].position, *record::pack_hcp({}));
  EXPECT_EQ(frequent[1].count, 6U);
  EXPECT_EQ(frequent[1].ply, 1);
  EXPECT_EQ(FrequentPositions({}).threshold(), 0U);
}

TEST(FrequentPositions, IllegalGamesAreErrors) {
  FrequentPositions positions({.least_plies = 0});
  EXPECT_FALSE(positions.add(game({.plies = 0, .first = "+8822KA\n"})));
  EXPECT_EQ(positions.counts().games, 0U);
}

// Two bare kings have nothing but each other to shun: they shuffle before long.
TEST(SelfPlay, TellsWhetherAPositionRepeats) {
  auto player = must(SelfPlay::make({.nodes = 200}));
  const auto kings = position_of("4k4/9/9/9/9/9/9/9/4K4 b - 1");
  EXPECT_TRUE(player.repeats(kings, 200, 200));
  EXPECT_FALSE(player.repeats(kings, 11, 200)) << "four times the same takes twelve plies at least";
  EXPECT_FALSE(player.repeats({}, 30, 200));
}

}  // namespace
}  // namespace fuhyo::learn
