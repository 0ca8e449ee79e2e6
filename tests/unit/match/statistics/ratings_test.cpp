// Ratings of pools: against Ordo's numbers, against chance, and where the games do not say enough.
#include "engines/match/statistics/ratings.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "engines/match/statistics/connected.h"
#include "engines/match/statistics/elo.h"
#include "engines/match/statistics/estimate.h"

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kNames = {"p0", "p1", "p2", "p3", "p4"};

// 40 games of each of five players as Black against each other one, drawn by chance: few draws, and many.
const std::vector<Meetings> kFewDraws = {{0, 1, 21, 2, 17}, {0, 2, 14, 3, 23}, {0, 3, 27, 2, 11}, {0, 4, 10, 2, 28},
                                         {1, 0, 26, 4, 10}, {1, 2, 15, 4, 21}, {1, 3, 27, 6, 7},  {1, 4, 6, 2, 32},
                                         {2, 0, 26, 8, 6},  {2, 1, 20, 4, 16}, {2, 3, 31, 1, 8},  {2, 4, 12, 3, 25},
                                         {3, 0, 15, 3, 22}, {3, 1, 12, 3, 25}, {3, 2, 4, 6, 30},  {3, 4, 2, 2, 36},
                                         {4, 0, 31, 2, 7},  {4, 1, 26, 7, 7},  {4, 2, 27, 4, 9},  {4, 3, 36, 0, 4}};
const std::vector<Meetings> kManyDraws = {
    {0, 1, 12, 15, 13}, {0, 2, 11, 19, 10}, {0, 3, 13, 17, 10}, {0, 4, 1, 16, 23}, {1, 0, 12, 20, 8},
    {1, 2, 8, 20, 12},  {1, 3, 13, 21, 6},  {1, 4, 6, 16, 18},  {2, 0, 20, 17, 3}, {2, 1, 19, 12, 9},
    {2, 3, 18, 17, 5},  {2, 4, 8, 20, 12},  {3, 0, 12, 17, 11}, {3, 1, 9, 22, 9},  {3, 2, 6, 19, 15},
    {3, 4, 3, 10, 27},  {4, 0, 21, 17, 2},  {4, 1, 24, 12, 4},  {4, 2, 14, 18, 8}, {4, 3, 26, 12, 2}};

const RatedPlayer& player(const Ratings& ratings, int which) {
  for (const RatedPlayer& row : ratings.players) {
    if (row.player == which) return row;
  }
  ADD_FAILURE() << which << " is not there";
  return ratings.players.front();
}

std::size_t row_of(const Ratings& ratings, int which) {
  return static_cast<std::size_t>(&player(ratings, which) - ratings.players.data());
}

Ratings rated(std::span<const Meetings> games, const RatingOptions& options, std::size_t players = 5) {
  const std::vector<std::string> names(kNames.begin(), kNames.begin() + static_cast<std::ptrdiff_t>(players));
  auto ratings = rate_pool(names, games, options);
  EXPECT_TRUE(ratings) << ratings.error();
  return ratings.value_or(Ratings{});
}

std::string why_not(std::span<const Meetings> games, const RatingOptions& options = {}) {
  const auto ratings = rate_pool(kNames, games, options);
  return ratings ? "rated" : ratings.error();
}

// What Ordo 1.0 printed of the same games (-W -D -s 10000 -z 200.24, which is the scale of Elo; errors by simulation).
// Its curve of expected scores is another one where games are drawn, so that ratings far from the mean differ by a
// hundredth.
struct OrdoRow {
  int player;
  double rating, error;
};

void expect_ordo(const Ratings& got, std::span<const OrdoRow> rows, double first_move, double draws_percent) {
  ASSERT_EQ(got.players.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(got.players[i].player, rows[i].player);
    EXPECT_NEAR(*got.players[i].rating, rows[i].rating, 0.02 * std::abs(rows[i].rating) + 0.1);
    EXPECT_NEAR(*got.players[i].error, rows[i].error, 0.04 * rows[i].error);
  }
  EXPECT_NEAR(got.first_move, first_move, 0.4);
  EXPECT_NEAR(100 * got.draws_between_equals, draws_percent, 0.1);
}

TEST(Ratings, AreOrdosWhereDrawsAreFew) {
  const Ratings got = rated(kFewDraws, {.first_move = std::nullopt});
  const OrdoRow rows[] = {
      {4, 192.18, 35.86}, {2, 55.20, 31.44}, {1, -10.50, 31.08}, {0, -59.58, 31.44}, {3, -177.30, 35.17}};
  expect_ordo(got, rows, 24.59, 9.88);
  EXPECT_NEAR(*got.first_move_error, 1.96 * 13.15, 0.6);
  EXPECT_NEAR(*got.superiority(1, 2), 0.996, 0.002);
  EXPECT_NEAR(*got.superiority(2, 3), 0.976, 0.005);
  EXPECT_NEAR(*got.superiority(3, 2), 0.024, 0.005);
  EXPECT_FALSE(got.superiority(2, 2));
}

TEST(Ratings, AreOrdosWhereDrawsAreMany) {
  const Ratings got = rated(kManyDraws, {.first_move = std::nullopt});
  const OrdoRow rows[] = {
      {4, 122.98, 24.43}, {2, 37.64, 23.38}, {1, -31.67, 22.90}, {0, -55.60, 23.10}, {3, -73.36, 23.51}};
  expect_ordo(got, rows, 23.52, 46.39);
  EXPECT_NEAR(*got.superiority(3, 4), 0.831, 0.01);
}

TEST(Ratings, ShiftToTheirAnchor) {
  const Ratings got = rated(kFewDraws, {.fixed = {{3, 1000.0}}, .first_move = std::nullopt});
  const RatedPlayer& anchor = player(got, 3);
  EXPECT_EQ(anchor.status, RatingStatus::fixed);
  EXPECT_EQ(anchor.rating, 1000);
  EXPECT_FALSE(anchor.error);
  EXPECT_NEAR(*player(got, 4).rating, 1369.48, 4.5);  // Ordo again
  EXPECT_NEAR(*player(got, 4).error, 58.15, 1.5);
  EXPECT_NEAR(*player(got, 0).error, 51.54, 1.5);
  const Ratings centred = rated(kFewDraws, {.mean = 500, .first_move = std::nullopt});
  EXPECT_NEAR(*player(got, 4).rating - *player(got, 0).rating, *player(centred, 4).rating - *player(centred, 0).rating,
              1e-6);
  double sum = 0;
  for (const RatedPlayer& row : centred.players) sum += *row.rating;
  EXPECT_NEAR(sum / 5, 500, 1e-9);
}

TEST(Ratings, ExpectThePointsThatWereMade) {
  const DavidsonModel model{.strengths = std::vector<std::optional<double>>(5), .first_move = std::nullopt};
  const auto fit = fit_davidson(model, kFewDraws);
  ASSERT_TRUE(fit);
  std::vector<double> missing(5);
  double draws = 0, lead = 0;
  for (const Meetings& each : kFewDraws) {
    const auto black = static_cast<std::size_t>(each.black), white = static_cast<std::size_t>(each.white);
    const Chances chance = chances(fit->strengths[black] - fit->strengths[white] + fit->first_move, fit->nu);
    const auto games = static_cast<double>(each.games());
    const double expected = games * (chance.win + chance.draw / 2);
    const double made = static_cast<double>(each.black_wins) + static_cast<double>(each.draws) / 2;
    missing[black] += made - expected;
    missing[white] -= made - expected;
    draws += static_cast<double>(each.draws) - games * chance.draw;
    lead += made - expected;
  }
  EXPECT_THAT(missing, testing::Each(testing::DoubleNear(0, 1e-6)));
  EXPECT_NEAR(draws, 0, 1e-6);
  EXPECT_NEAR(lead, 0, 1e-6);
}

TEST(Ratings, OfTwoAreTheEloOfTheirMatch) {
  // Without draws exactly, interval included; with them nearly.
  const std::vector<Meetings> games = {{0, 1, 60, 0, 40}};
  const Ratings got = rated(games, {.fixed = {{1, 0.0}}}, 2);
  const Estimate match = estimate(GameCounts{.losses = 40, .draws = 0, .wins = 60});
  EXPECT_NEAR(*player(got, 0).rating, *match.elo.value, 1e-6);
  EXPECT_NEAR(*player(got, 0).error, *match.elo.error(), 1.2);
  EXPECT_NEAR(*got.superiority(0, 1), match.superiority, 0.004);

  const std::vector<Meetings> drawn = {{0, 1, 40, 40, 20}};
  const Estimate with_draws = estimate(GameCounts{.losses = 20, .draws = 40, .wins = 40});
  EXPECT_NEAR(*player(rated(drawn, {.fixed = {{1, 0.0}}}, 2), 0).rating, *with_draws.elo.value, 1);
}

TEST(Ratings, PlaceAnEngineOnALadder) {
  // Three rungs, and a newcomer that scores as 1100 does against each of them, without draws.
  std::vector<Meetings> games;
  const double rungs[] = {900, 1050, 1300};
  RatingOptions options;
  for (int i = 0; i < 3; ++i) {
    const auto wins = static_cast<std::int64_t>(std::lround(100'000 * score_of_elo(1100 - rungs[i])));
    games.push_back({3, i, wins, 0, 100'000 - wins});
    options.fixed.emplace_back(i, rungs[i]);
  }
  const Ratings got = rated(games, options, 4);
  EXPECT_NEAR(*player(got, 3).rating, 1100, 0.05);
  EXPECT_EQ(player(got, 3).status, RatingStatus::rated);
  EXPECT_EQ(player(got, 2).rating, 1300);
  EXPECT_EQ(got.superiority(row_of(got, 2), row_of(got, 1)), 1);  // both are given

  // A first-move advantage that is known: as White the newcomer makes up for it.
  std::vector<Meetings> both;
  for (int i = 0; i < 3; ++i) {
    const auto black = static_cast<std::int64_t>(std::lround(100'000 * score_of_elo(1100 - rungs[i] + 40)));
    const auto white = static_cast<std::int64_t>(std::lround(100'000 * score_of_elo(1100 - rungs[i] - 40)));
    both.push_back({3, i, black, 0, 100'000 - black});
    both.push_back({i, 3, 100'000 - white, 0, white});
  }
  options.first_move = 40;
  EXPECT_NEAR(*player(rated(both, options, 4), 3).rating, 1100, 0.05);
  options.first_move.reset();
  const Ratings estimated = rated(both, options, 4);
  EXPECT_NEAR(estimated.first_move, 40, 0.1);
  EXPECT_NEAR(*player(estimated, 3).rating, 1100, 0.1);
}

TEST(Ratings, CompareByTheRungsThemselves) {
  // The newcomer has only beaten the lower one and only lost to the higher one.
  const std::vector<Meetings> games = {{2, 0, 20, 0, 0}, {2, 1, 0, 0, 20}};
  const Ratings got = rated(games, {.fixed = {{0, 1000.0}, {1, 1400.0}}}, 3);
  EXPECT_EQ(player(got, 2).status, RatingStatus::rated);
  EXPECT_NEAR(*player(got, 2).rating, 1200, 1e-6);
  EXPECT_EQ(player(rated(games, {.fixed = {{0, 1000.0}}}, 3), 2).status, RatingStatus::above);
}

TEST(Ratings, KeepTheirScaleHoweverManyGamesAreDrawn) {
  // Nearly equal, half of the games drawn: a point of rating is worth what it is in Elo.
  const std::vector<Meetings> games = {{0, 1, 2750, 5000, 2250}};
  const Ratings got = rated(games, {.fixed = {{1, 0.0}}}, 2);
  EXPECT_NEAR(*player(got, 0).rating, elo_of_score(0.525), 0.05);
  EXPECT_NEAR(got.draws_between_equals, 0.5, 0.002);
}

// What an error bar promises: of many pools whose players are known, 95 % of the intervals hold the truth.
TEST(Ratings, ErrorBarsHoldTheTruthNineteenTimesInTwenty) {
  std::mt19937_64 random(7);
  const double strengths[] = {0.6, -0.2, -0.4}, nu = 0.5, first_move = 0.2;
  const double scale = 400 / std::numbers::ln10 * 2 / (2 + nu);
  int inside = 0, first_inside = 0;
  constexpr int kPools = 1000;
  for (int pool = 0; pool < kPools; ++pool) {
    std::vector<Meetings> games;
    for (int black = 0; black < 3; ++black) {
      for (int white = 0; white < 3; ++white) {
        if (black == white) continue;
        Meetings each{.black = black, .white = white};
        const Chances chance = chances(strengths[black] - strengths[white] + first_move, nu);
        for (int game = 0; game < 60; ++game) {
          const double draw = static_cast<double>(random() >> 11) * 0x1p-53;
          ++(draw < chance.win ? each.black_wins : draw < chance.win + chance.loss ? each.white_wins : each.draws);
        }
        games.push_back(each);
      }
    }
    const Ratings got = rated(games, {.first_move = std::nullopt}, 3);
    for (const RatedPlayer& row : got.players) {
      inside += std::abs(*row.rating - strengths[row.player] * scale) <= *row.error ? 1 : 0;
    }
    first_inside += std::abs(got.first_move - first_move * scale) <= *got.first_move_error ? 1 : 0;
  }
  EXPECT_NEAR(inside / (3.0 * kPools), 0.95, 0.02);
  EXPECT_NEAR(first_inside / (1.0 * kPools), 0.95, 0.03);
}

TEST(Ratings, BoundWhoWonOrLostEverything) {
  // 0 and 1 are comparable; 2 has beaten 0 ten times, 3 has lost to 1 ten times; 4 has not played.
  const std::vector<Meetings> games = {{0, 1, 10, 0, 10}, {2, 0, 5, 0, 0}, {0, 2, 0, 0, 5}, {1, 3, 10, 0, 0}};
  const Ratings got = rated(games, {});
  EXPECT_THAT(got.players,
              testing::ElementsAre(testing::Field(&RatedPlayer::player, 2), testing::Field(&RatedPlayer::player, 0),
                                   testing::Field(&RatedPlayer::player, 1), testing::Field(&RatedPlayer::player, 3),
                                   testing::Field(&RatedPlayer::player, 4)));
  EXPECT_EQ(got.players[0].status, RatingStatus::above);
  EXPECT_NEAR(*got.players[0].rating, elo_of_score(std::pow(0.05, 0.1)), 1e-6);
  EXPECT_FALSE(got.players[0].error);
  EXPECT_EQ(got.players[0].wins, 10);
  EXPECT_EQ(got.players[3].status, RatingStatus::below);
  EXPECT_NEAR(*got.players[3].rating, -elo_of_score(std::pow(0.05, 0.1)), 1e-6);
  EXPECT_EQ(got.players[4].status, RatingStatus::apart);
  EXPECT_FALSE(got.players[4].rating);
  EXPECT_FALSE(got.superiority(0, 1));
  EXPECT_TRUE(got.superiority(1, 2));
}

TEST(Ratings, BoundAMatchThatWasAllWon) {
  const std::vector<Meetings> games = {{0, 1, 5, 0, 0}, {1, 0, 0, 0, 5}};
  const Ratings got = rated(games, {.fixed = {{1, 800.0}}}, 2);
  EXPECT_EQ(got.players[0].status, RatingStatus::above);
  EXPECT_NEAR(*got.players[0].rating, 800 + elo_of_score(std::pow(0.05, 0.1)), 1e-6);
  // One drawn game, and the two can be compared.
  const std::vector<Meetings> drawn = {{0, 1, 5, 1, 0}, {1, 0, 0, 0, 5}};
  const Ratings compared = rated(drawn, {.fixed = {{1, 0.0}}}, 2);
  EXPECT_EQ(player(compared, 0).status, RatingStatus::rated);
  EXPECT_NEAR(*player(compared, 0).rating, elo_of_score(10.5 / 11), 100);
  EXPECT_GT(*player(compared, 0).error, 300);
}

TEST(Ratings, DoNotGuessAFirstMoveAdvantageThatTheGamesDoNotTell) {
  // Nineteen wins to one: who wins every game as Black may owe that to being Black, however great the rest is.
  const std::vector<std::vector<Meetings>> pools = {
      {{0, 1, 10, 0, 0}, {1, 0, 1, 0, 9}}, {{0, 1, 9, 0, 1}, {1, 0, 0, 0, 10}}, {{0, 1, 10, 0, 0}, {1, 0, 1, 1, 8}}};
  for (const auto& games : pools) {
    EXPECT_THAT(why_not(games, {.first_move = std::nullopt}), HasSubstr("first-move advantage"));
  }
  const Ratings got = rated(pools[0], {.fixed = {{1, 0.0}}}, 2);
  EXPECT_NEAR(*player(got, 0).rating, elo_of_score(0.95), 1e-6);
  EXPECT_NEAR(*player(got, 0).error, kZ95 * 400 / std::numbers::ln10 / std::sqrt(20 * 0.95 * 0.05), 1e-6);
  // A game as White more that each lost, and it can be told.
  const std::vector<Meetings> told = {{0, 1, 9, 0, 1}, {1, 0, 1, 0, 9}};
  EXPECT_NEAR(rated(told, {.first_move = std::nullopt}, 2).first_move, 0, 1e-6);
}

TEST(Ratings, ATwentyToNothingHasABoundAndNoErrorOfZero) {
  const std::vector<Meetings> games = {{0, 1, 10, 0, 0}, {1, 0, 0, 0, 10}};
  const Ratings got = rated(games, {}, 2);
  EXPECT_FALSE(player(got, 0).error);
  EXPECT_EQ(player(got, 1).status, RatingStatus::below);
  EXPECT_NEAR(*player(got, 1).rating, -elo_of_score(std::pow(0.05, 0.05)), 1e-6);
}

TEST(Ratings, RateTheLargestPartOfABrokenPool) {
  // 0-1 and 2-3-4 never met.
  const std::vector<Meetings> games = {{0, 1, 10, 0, 5}, {2, 3, 10, 0, 5}, {3, 4, 10, 0, 5}};
  const Ratings got = rated(games, {});
  EXPECT_EQ(player(got, 2).status, RatingStatus::rated);
  EXPECT_EQ(player(got, 0).status, RatingStatus::apart);
  // ... or the part of the anchor.
  const Ratings anchored = rated(games, {.fixed = {{1, 0.0}}});
  EXPECT_EQ(player(anchored, 2).status, RatingStatus::apart);
  EXPECT_EQ(player(anchored, 0).status, RatingStatus::rated);
}

TEST(Ratings, NameWhatIsWrongWithThePool) {
  EXPECT_THAT(why_not(std::vector<Meetings>{{0, 5, 1, 0, 1}}), HasSubstr("players 0 and 5, and there are 5"));
  EXPECT_THAT(why_not(std::vector<Meetings>{{-1, 0, 1, 0, 1}}), HasSubstr("players -1 and 0"));
  EXPECT_THAT(why_not(std::vector<Meetings>{{1, 1, 1, 0, 1}}), HasSubstr("player 1 plays itself"));
  EXPECT_THAT(why_not(std::vector<Meetings>{{0, 1, 1, -1, 1}}), HasSubstr("negative"));
  EXPECT_THAT(why_not(std::vector<Meetings>{{0, 1, 0, 9, 0}}), HasSubstr("no game was won"));
  EXPECT_THAT(why_not({}), HasSubstr("no game was won"));
  const std::vector<Meetings> games = {{0, 1, 1, 0, 1}};
  EXPECT_EQ(why_not(games), "rated");
  EXPECT_THAT(why_not(games, {.fixed = {{5, 0.0}}}), HasSubstr("player 5 is fixed"));
  EXPECT_THAT(why_not(games, {.fixed = {{0, 0.0}, {0, 1.0}}}), HasSubstr("fixed twice"));
  EXPECT_THAT(why_not(games, {.fixed = {{0, std::nan("")}}}), HasSubstr("player 0 is fixed to nan"));
  // Black has won every game.
  const std::vector<Meetings> first = {{0, 1, 9, 0, 0}, {1, 0, 9, 0, 0}};
  EXPECT_THAT(why_not(first, {.first_move = std::nullopt}), HasSubstr("first-move advantage"));
  EXPECT_EQ(why_not(first), "rated");
}

TEST(Ratings, StandInOrdosColumns) {
  const std::vector<Meetings> games = {{0, 1, 60, 10, 30}, {2, 1, 3, 0, 0}};
  const std::vector<std::string> names = {"alpha", "beta", "gamma ray"};
  const auto got = rate_pool(names, games, {});
  ASSERT_TRUE(got);
  EXPECT_EQ(to_table(*got),
            "   # PLAYER    :   RATING  ERROR   POINTS  PLAYED   (%)  CFS(%)      W     D      L  D(%)\n"
            "   1 gamma ray :  >-109.7    ---      3.0       3 100.0     ---      3     0      0   0.0\n"
            "   2 alpha     :     53.9   33.8     65.0     100  65.0     100     60    10     30  10.0\n"
            "   3 beta      :    -53.9   33.8     35.0     103  34.0     ---     30    10     63   9.7\n"
            "\nFirst-move advantage: 0.0 Elo; draws between equals: 10.5 %\n");
}

TEST(Comparable, FollowsPointsAroundTheCircle) {
  Taken taken(4, std::vector<bool>(4));
  taken[0][1] = taken[1][2] = taken[2][0] = taken[3][0] = true;
  const Taken reached = reach(taken);
  EXPECT_TRUE(reached[1][0] && reached[3][2] && reached[3][3]);
  EXPECT_FALSE(reached[0][3]);
  EXPECT_THAT(largest_comparable(reached), testing::ElementsAre(0, 1, 2));
  EXPECT_TRUE(largest_comparable({}).empty());
}

}  // namespace
}  // namespace fuhyo::match
