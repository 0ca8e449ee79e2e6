// shogi-server's ratings at their edges; the figures themselves are compared with mk_rate's in tests/golden/rating.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "server/core/rating/duels.h"
#include "server/core/rating/shogi_server.h"

namespace fuhyo::core::rating {
namespace {

constexpr std::int64_t kDay = 86'400 * kSecond;
constexpr Wall kBase{1000 * kDay};

// Games played at noon the day before, unless told otherwise.
class Season {
 public:
  Season& play(std::string_view winner, std::string_view loser, int times = 1, double age_days = 0.5) {
    for (int i = 0; i < times; ++i) add(winner, loser, Score::black_wins, age_days);
    return *this;
  }
  void add(std::string_view black, std::string_view white, Score score, double age_days, bool abnormal = false,
           std::int32_t plies = 100) {
    const PlayerIndex first = games_.player(black), second = games_.player(white);
    games_.add({.black = first,
                .white = second,
                .score = score,
                .abnormal = abnormal,
                .plies = plies,
                .ended = {kBase.us - static_cast<std::int64_t>(age_days * static_cast<double>(kDay))}});
  }
  ShogiServerRatings rate(ShogiServerRules rules = {}) const {
    rules.base = kBase;
    const auto rated = rate_as_shogi_server(games_, rules);
    EXPECT_TRUE(rated) << rated.error();
    return rated.value_or(ShogiServerRatings{});
  }
  const Games& games() const { return games_; }

 private:
  Games games_;
};

TEST(ShogiServerRating, FifteenGamesAreEnoughAndFourteenAreNot) {
  EXPECT_EQ(Season().play("a+1", "b+1", 14).play("b+1", "a+1", 1).rate().table.players.at("a+1").group, 0);
  const auto rated = Season().play("a+1", "b+1", 13).play("b+1", "a+1", 1).rate();
  EXPECT_EQ(rated.table.players.at("a+1").group, kUnratedGroup);
  EXPECT_EQ(rated.table.players.at("a+1").rate, 0);
  EXPECT_EQ(rated.table.players.at("a+1").win, 13);
}

TEST(ShogiServerRating, WhoNeverWonOrNeverLostIsNotRated) {
  const auto rated = Season().play("a+1", "b+1", 8).play("b+1", "a+1", 8).play("a+1", "weak+1", 20).rate();
  EXPECT_EQ(rated.table.players.at("a+1").group, 0);
  EXPECT_EQ(rated.table.players.at("weak+1").group, kUnratedGroup);
  EXPECT_EQ(rated.table.players.at("a+1").win, 8) << "games with those who are left out do not count";
  EXPECT_EQ(Season().play("a+1", "b+1", 20).rate().exact.size(), 0U);
}

TEST(ShogiServerRating, WeightHalvesFromTheSeventhDayOn) {
  const auto weight_at = [](double age_days) {
    return Season().play("a+1", "b+1", 20, age_days).play("b+1", "a+1", 20, 0).rate().table.players.at("a+1").win / 20;
  };
  EXPECT_EQ(weight_at(6.999), 1);
  EXPECT_NEAR(weight_at(67), 0.5, 1e-3);
  EXPECT_NEAR(weight_at(127), 0.25, 1e-3);
  EXPECT_GT(weight_at(730), 0);
  const auto old = Season().play("a+1", "b+1", 20, 730.01).play("b+1", "a+1", 1, 0).rate();
  EXPECT_EQ(old.table.players.at("a+1").win, 0);
  const auto tomorrow = Season().play("a+1", "b+1", 20, -0.01).play("b+1", "a+1", 1, 0).rate();
  EXPECT_EQ(tomorrow.table.players.at("a+1").win, 0) << "not played yet at the base time";
}

// c has enough games only with d, who has too few: when d goes, c goes, and then b.
TEST(ShogiServerRating, LeavingOneOutMayLeaveOutTheNext) {
  Season season;
  season.play("a+1", "x+1", 10).play("x+1", "a+1", 10).play("a+1", "b+1", 7).play("b+1", "a+1", 7);
  season.play("b+1", "c+1", 1).play("c+1", "b+1", 1).play("c+1", "d+1", 12).play("d+1", "c+1", 1);
  const auto rated = season.rate();
  EXPECT_EQ(rated.exact.size(), 2U);
  EXPECT_EQ(rated.table.players.at("b+1").group, kUnratedGroup);
}

TEST(ShogiServerRating, GamesThatAPlayerLeftCountBeyondTheThreshold) {
  const auto wins = [](std::int32_t plies, std::int32_t threshold) {
    Season season;
    season.add("a+1", "b+1", Score::black_wins, 1, true, plies);
    season.play("b+1", "a+1", 1);
    return season.rate({.abnormal_plies = threshold}).table.players.at("a+1").win;
  };
  EXPECT_EQ(wins(30, 30), 0);
  EXPECT_EQ(wins(31, 30), 1);
  EXPECT_EQ(wins(200, 0), 0) << "0 is never";
}

TEST(ShogiServerRating, AFixedPlayerMovesHisGroup) {
  Season season;
  season.play("anna+1", "bob+1", 15).play("bob+1", "anna+1", 5);
  const auto fixed = season.rate({.fixed = {{.player = "bob+1", .rate = 2000}}});
  EXPECT_EQ(fixed.table.players.at("bob+1").rate, 2000);
  EXPECT_EQ(fixed.table.players.at("anna+1").rate, 2000 + 1095 - 904);
  EXPECT_EQ(season.rate({.fixed = {{.player = "bo", .rate = 2000}}}).table.players.at("bob+1").rate, 2000);
  EXPECT_EQ(season.rate({.fixed = {{.player = "nobody", .rate = 2000}}}).table.players.at("bob+1").rate, 904);
}

// Everybody of one tier beats everybody of the next one, always: no finite rating fits, and the server still gives
// some.
Season tiers(int count) {
  Season season;
  const auto id = [](int tier, int player) { return fmt::format("t{}p{}+1", tier, player); };
  for (int tier = 0; tier < count; ++tier) {
    season.play(id(tier, 0), id(tier, 1), 10).play(id(tier, 1), id(tier, 0), 10);
    if (tier > 0) season.play(id(tier - 1, 0), id(tier, 1), 5);
  }
  return season;
}

TEST(ShogiServerRating, ResultsThatGoOneWayStayWithinReason) {
  const auto rated = tiers(2).rate();
  EXPECT_NEAR(rated.exact.at("t0p0+1"), rated.exact.at("t0p1+1"), 0.1);
  EXPECT_GT(rated.exact.at("t0p0+1") - rated.exact.at("t1p0+1"), 4000);
  const auto refused = rate_as_shogi_server(tiers(6).games(), {.base = kBase});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().contains("no finite rating fits")) << refused.error();
}

TEST(ShogiServerRating, NothingPlayedIsNothingRated) { EXPECT_TRUE(Season().rate().table.players.empty()); }

// The maximum of the likelihood is one place, from wherever the search begins.
TEST(Strengths, DoNotDependOnTheStart) {
  const std::vector<Duel> duels = {{0, 1, 12.5, 3}, {1, 2, 4, 9.25}, {0, 2, 1, 2}, {2, 3, 30, 7}};
  const auto reference = strengths_as_mk_rate(4, duels);
  for (const std::vector<double>& start : {std::vector<double>{0, 0, 0, 0}, {3, -3, 3, -3}, {40, 0, 0, -40}}) {
    const auto found = strengths_from(start, duels);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], reference[k], 0.01 * kPoint);
  }
}

}  // namespace
}  // namespace fuhyo::core::rating
