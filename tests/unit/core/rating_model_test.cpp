// The model of ratings with draws and the first move: known answers, made games whose truth is known, errors that mean
// what they say, and the results that have no answer without a prior.
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "server/core/rating/dense.h"
#include "server/core/rating/history.h"
#include "server/core/rating/model.h"

namespace fuhyo::core::rating {
namespace {

constexpr double kWide = 1e6;  // a prior that is none

Games games_of(std::string_view black, std::string_view white, int wins, int losses, int draws, Games games = {}) {
  const PlayerIndex b = games.player(black), w = games.player(white);
  const auto add = [&](int times, Score score) {
    for (int i = 0; i < times; ++i) games.add({.black = b, .white = w, .score = score});
  };
  add(wins, Score::black_wins);
  add(losses, Score::white_wins);
  add(draws, Score::draw);
  return games;
}

ModelRatings rate(const Games& games, const ModelRules& rules) {
  const auto rated = rate_by_model(games, rules);
  EXPECT_TRUE(rated) << rated.error();
  return rated.value_or(ModelRatings{});
}

const ModelPlayer& find(const ModelRatings& ratings, std::string_view id) {
  for (const ModelPlayer& player : ratings.players) {
    if (player.id == id) return player;
  }
  throw std::out_of_range(std::string(id));
}

TEST(RatingModel, TwoPlayersWithoutDrawsDifferByTheirOdds) {
  const auto rated =
      rate(games_of("a", "b", 75, 25, 0), {.draws = Draws::half, .first_move = 0, .prior_points = kWide});
  const double difference = 400 * std::log10(3.0);
  EXPECT_NEAR(rated.players[0].rate, 1000 + difference / 2, 1e-3);
  EXPECT_NEAR(rated.players[1].rate, 1000 - difference / 2, 1e-3);
  // Half of the error of a logit, 1 / sqrt(n p q): either one against the mean of both.
  const double error = 1.959964 / std::sqrt(100 * 0.75 * 0.25) * 400 / std::log(10.0) / 2;
  EXPECT_NEAR(rated.players[0].error.value(), error, 1e-2);
  EXPECT_NEAR(rated.players[1].error.value(), error, 1e-2);
  EXPECT_EQ(rated.players[0].id, "a");
  EXPECT_EQ(rated.players[0].points(), 75);
  EXPECT_EQ(rated.players[0].played(), 100);
  EXPECT_GT(rated.players[0].above_next.value(), 0.9999);
  EXPECT_EQ(rated.players[1].above_next, std::nullopt);
  EXPECT_EQ(rated.first_move.error, std::nullopt) << "it was given";
}

TEST(RatingModel, TheFirstMoveIsWhatBlackWinsMore) {
  Games games = games_of("a", "b", 60, 40, 0);
  games = games_of("b", "a", 60, 40, 0, std::move(games));
  const auto rated = rate(games, {.draws = Draws::half, .prior_points = kWide});
  EXPECT_NEAR(rated.players[0].rate, 1000, 1e-6);
  EXPECT_NEAR(rated.first_move.value, 400 * std::log10(1.5), 0.05);
  EXPECT_NEAR(rated.players[0].above_next.value(), 0.5, 1e-6);
  const auto given = rate(games_of("a", "b", 60, 40, 0),
                          {.draws = Draws::half, .first_move = 400 * std::log10(1.5), .prior_points = kWide});
  EXPECT_NEAR(given.players[0].rate, given.players[1].rate, 0.05) << "Black won by the first move alone";
}

TEST(RatingModel, TheShareOfDrawsBetweenEqualsIsFound) {
  const auto rated = rate(games_of("a", "b", 40, 40, 20), {.first_move = 0});
  EXPECT_NEAR(rated.draw_share.value, 0.2, 1e-3);
  EXPECT_NEAR(rated.draw_share.error.value(), 1.96 * std::sqrt(0.2 * 0.8 / 100), 2e-3);
  EXPECT_NEAR(rated.players[0].rate, rated.players[1].rate, 1e-6);
}

TEST(RatingModel, DrawsMayBeHalvesOrLeftOut) {
  const Games games = games_of("a", "b", 60, 20, 20);
  const auto gap = [&](Draws draws) {
    const auto rated = rate(games, {.draws = draws, .first_move = 0, .prior_points = kWide});
    return find(rated, "a").rate - find(rated, "b").rate;
  };
  EXPECT_NEAR(gap(Draws::half), 400 * std::log10(70.0 / 30), 1e-3);
  EXPECT_NEAR(gap(Draws::skip), 400 * std::log10(60.0 / 20), 1e-3);
  EXPECT_NEAR(gap(Draws::davidson), 400 * std::log10(60.0 / 20), 0.1) << "wins over losses";
  EXPECT_EQ(rate(games, {.draws = Draws::skip}).games, 80U);
}

TEST(RatingModel, AnAnchorStandsStill) {
  const Games games = games_of("b", "c", 5, 9, 1, games_of("a", "b", 30, 10, 0));
  const auto free = rate(games, {});
  const auto anchored = rate(games, {.anchor = {{.player = "b", .rate = 2500}}});
  EXPECT_NEAR(find(anchored, "b").rate, 2500, 1e-9);
  EXPECT_NEAR(find(anchored, "b").error.value(), 0, 1e-6);
  EXPECT_NEAR(find(anchored, "a").rate - 2500, find(free, "a").rate - find(free, "b").rate, 1e-6);
  EXPECT_FALSE(rate_by_model(games, {.anchor = {{.player = "nobody", .rate = 1}}}));
}

TEST(RatingModel, WhoWonEverythingHasARateAndAnError) {
  const auto rated = rate(games_of("weak", "middle", 0, 5, 0, games_of("strong", "middle", 20, 0, 0)), {});
  EXPECT_EQ(rated.players[0].id, "strong");
  EXPECT_LT(rated.players[0].rate, 4000);
  EXPECT_GT(rated.players[0].error.value(), 300);
  EXPECT_EQ(rated.players[2].id, "weak");
}

TEST(RatingModel, GroupsThatNeverMetAreAsUncertainAsTheyAre) {
  const auto rated = rate(games_of("c", "d", 500, 500, 0, games_of("a", "b", 700, 300, 0)), {});
  EXPECT_EQ(rated.groups, 2U);
  EXPECT_NEAR(find(rated, "a").rate + find(rated, "b").rate, 2000, 1) << "nothing says which group is stronger";
  EXPECT_GT(find(rated, "c").error.value(), 500);
  EXPECT_EQ(rate(games_of("a", "b", 1, 1, 0), {}).groups, 1U);
}

TEST(RatingModel, OldGamesWeighLess) {
  Games games;
  const PlayerIndex a = games.player("a"), b = games.player("b");
  constexpr std::int64_t kDay = 86'400 * kSecond;
  games.add({.black = a, .white = b, .score = Score::black_wins, .ended = {0}});
  games.add({.black = a, .white = b, .score = Score::white_wins, .ended = {10 * kDay}});
  games.add({.black = a, .white = b, .score = Score::white_wins, .ended = {11 * kDay}});
  const auto rated = rate(games, {.half_life_days = 10, .base = Wall{10 * kDay}});
  EXPECT_NEAR(find(rated, "a").wins, 0.5, 1e-12);
  EXPECT_NEAR(find(rated, "a").losses, 1, 1e-12) << "what is yet to come does not count";
  EXPECT_EQ(rated.games, 2U);
}

TEST(RatingModel, NoGameIsNoRating) {
  EXPECT_FALSE(rate_by_model(Games(), {}));
  EXPECT_FALSE(rate_by_model(games_of("a", "a", 5, 5, 5), {})) << "nobody plays against himself";
  EXPECT_FALSE(rate_by_model(games_of("a@NORATE+1", "b+1", 5, 5, 5), {}));
  EXPECT_FALSE(rate_by_model(games_of("a", "b", 0, 0, 5), {.draws = Draws::skip}));
}

// Games made by the model itself, of players whose rates are known.
class MadeGames {
 public:
  static constexpr double kFirstMove = 45, kNu = 0.2;
  explicit MadeGames(std::uint64_t seed, int players, int rounds) : state_(seed) {
    for (int i = 0; i < players; ++i) truth[fmt::format("p{:02}", i)] = 40.0 * i;
    for (int round = 0; round < rounds; ++round) {
      for (const auto& [black, r] : truth) {
        for (const auto& [white, s] : truth) {
          if (black != white) games = play(black, white, (r - s + kFirstMove) * std::log(10.0) / 400);
        }
      }
    }
  }
  std::map<std::string, double> truth;
  Games games;

 private:
  double chance() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  Games play(std::string_view black, std::string_view white, double d) {
    const double win = std::exp(d / 2), loss = std::exp(-d / 2), x = chance() * (win + loss + kNu);
    return games_of(black, white, x < win ? 1 : 0, x >= win && x < win + loss ? 1 : 0, x >= win + loss ? 1 : 0,
                    std::move(games));
  }
  std::uint64_t state_;
};

TEST(RatingModel, FindsTheTruthOfMadeGames) {
  const MadeGames made(1, 8, 200);
  const auto rated = rate(made.games, {.mean = 140});
  for (const auto& [id, truth] : made.truth) EXPECT_NEAR(find(rated, id).rate, truth, 25) << id;
  EXPECT_NEAR(rated.first_move.value, MadeGames::kFirstMove, 10);
  EXPECT_NEAR(rated.draw_share.value, MadeGames::kNu / (2 + MadeGames::kNu), 0.01);
}

// 95 of 100 true rates are within the error, over 60 tournaments of 8 players.
TEST(RatingModel, ErrorsMeanWhatTheySay) {
  int inside = 0, all = 0, first_move_inside = 0;
  constexpr int kTournaments = 60;
  for (int seed = 1; seed <= kTournaments; ++seed) {
    const MadeGames made(static_cast<std::uint64_t>(seed) * 977, 8, 4);
    const auto rated = rate(made.games, {.mean = 140});
    for (const auto& [id, truth] : made.truth) {
      ++all;
      inside += std::abs(find(rated, id).rate - truth) <= find(rated, id).error.value() ? 1 : 0;
    }
    first_move_inside +=
        std::abs(rated.first_move.value - MadeGames::kFirstMove) <= rated.first_move.error.value() ? 1 : 0;
  }
  EXPECT_GT(inside, all * 92 / 100);
  EXPECT_LT(inside, all * 98 / 100);
  EXPECT_GT(first_move_inside, kTournaments * 85 / 100);
}

TEST(RatingModel, TheStartDoesNotMatter) {
  const MadeGames made(3, 6, 5);
  const auto reference = rate(made.games, {});
  const std::map<std::string, double> start = {{"p00", 9000}, {"p03", -9000}, {"stranger", 5}};
  const auto other = rate_by_model(made.games, {}, &start);
  ASSERT_TRUE(other);
  for (const ModelPlayer& player : reference.players) EXPECT_NEAR(find(*other, player.id).rate, player.rate, 1e-4);
}

TEST(DenseMatrix, InverseTimesMatrixIsOne) {
  SquareMatrix m(3);
  const double rows[3][3] = {{4, 1, -2}, {1, 5, 0.5}, {-2, 0.5, 3}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m.at(i, j) = rows[i][j];
  }
  const auto inv = inverse(m);
  ASSERT_TRUE(inv);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += m.at(i, k) * inv->at(k, j);
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12);
    }
  }
  m.at(2, 2) = -3;
  EXPECT_FALSE(inverse(m));
}

TEST(RatedDay, HasExactRatingsAndErrors) {
  Games games;
  const PlayerIndex a = games.player("a+1"), b = games.player("b+1");
  constexpr std::int64_t kDay = 86'400 * kSecond;
  for (int day = 0; day < 4; ++day) {
    for (int i = 0; i < 10; ++i) {
      games.add({.black = a,
                 .white = b,
                 .score = i % 3 == 0 ? Score::white_wins : Score::black_wins,
                 .ended = {day * kDay + kDay / 2 + i}});
    }
  }
  ShogiServerRules rules;
  rules.with_errors = true;
  rules.fixed = {{.player = "b+1", .rate = 1500}};
  const auto at_end_of = [&](int day) {
    rules.base = {day * kDay};
    const auto rated = rate_as_shogi_server(games, rules);
    return rated ? rated_day(*rated, rules.base) : RatedDay();
  };
  EXPECT_TRUE(at_end_of(1).rates.empty()) << "ten games are too few";
  const auto second = at_end_of(2).rates;
  EXPECT_NEAR(second.at("a+1").rate - second.at("b+1").rate, 400 * std::log10(12.0 / 8), 0.01);
  EXPECT_NEAR(second.at("b+1").rate, 1500, 1) << "as far as whole numbers go";
  EXPECT_GT(second.at("a+1").error, at_end_of(4).rates.at("a+1").error) << "more games, smaller errors";
}

}  // namespace
}  // namespace fuhyo::core::rating
