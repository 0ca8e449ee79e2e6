// Matches as cross tables, and engines placed among others whose ratings are given.
#include "engines/match/ladder.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/report.h"
#include "engines/match/statistics/elo.h"

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

// All games of the schedule, ended as `outcome` says.
Standings played(const Schedule& schedule, const std::function<GameResult(const Pairing&)>& outcome) {
  Standings standings(schedule);
  for (std::int64_t number = 0; number < schedule.games(); ++number) {
    const Pairing pairing = schedule.at(number);
    PlayedGame game;
    game.number = number;
    game.engines = pairing.engines;
    game.detail = std::to_string(number);  // no two games are copies
    game.result = outcome(pairing);
    game.ending = game.result == GameResult::draw ? Ending::repetition : Ending::resignation;
    standings.add(game);
  }
  return standings;
}

std::vector<Contestant> contestants(const std::vector<std::string>& texts) {
  std::vector<Contestant> out;
  for (const std::string& text : texts) out.push_back(*parse_contestant("player=random " + text));
  return out;
}

TEST(Ladder, CountsGamesByWhoWasBlack) {
  const Schedule schedule = *Schedule::make({.engines = 3, .rounds = 4});
  const auto outcome = [](const Pairing& pairing) { return static_cast<GameResult>((pairing.number * 7 + 1) % 5 % 3); };
  std::map<std::pair<int, int>, std::array<std::int64_t, 3>> expected;
  for (std::int64_t number = 0; number < schedule.games(); ++number) {
    const Pairing pairing = schedule.at(number);
    ++expected[{pairing.engines[0], pairing.engines[1]}][static_cast<std::size_t>(outcome(pairing))];
  }
  const auto meetings = meetings_of(played(schedule, outcome));
  ASSERT_EQ(meetings.size(), 6U);
  for (const Meetings& each : meetings) {
    const auto [draws, black_wins, white_wins] = expected.at({each.black, each.white});
    EXPECT_EQ(each.draws, draws);
    EXPECT_EQ(each.black_wins, black_wins);
    EXPECT_EQ(each.white_wins, white_wins);
  }
}

TEST(Ladder, PlacesAnEngineBetweenItsRungs) {
  // A gauntlet: the newcomer wins three games of four against 1000, and one of four against 1400.
  const Schedule schedule = *Schedule::make({.engines = 3, .tournament = Tournament::gauntlet, .rounds = 10});
  const Standings standings = played(schedule, [](const Pairing& pairing) {
    const bool against_low = pairing.engines[0] == 1 || pairing.engines[1] == 1;
    const bool newcomer_is_black = pairing.engines[0] == 0;
    const bool wins = pairing.number / 4 % 2 == 0 ? against_low : against_low == newcomer_is_black;
    return wins == newcomer_is_black ? GameResult::black_wins : GameResult::white_wins;
  });
  const auto engines = contestants({"name=new", "name=low rating=1000", "name=high rating=1400"});
  const auto rated = rate_engines(engines, standings);
  ASSERT_TRUE(rated) << rated.error();
  EXPECT_EQ(rated->players[0].name, "high");
  EXPECT_EQ(rated->players[0].rating, 1400);
  EXPECT_EQ(rated->players[1].name, "new");
  EXPECT_NEAR(*rated->players[1].rating, 1200, 25);
  EXPECT_NEAR(*rated->players[1].error, 110, 20);
}

TEST(Ladder, PlacesAnEngineAboveItsHighestRung) {
  // Four of five won with each colour against 3401, on a ladder that begins at 0.
  const Schedule schedule = *Schedule::make({.engines = 3, .tournament = Tournament::gauntlet, .rounds = 5});
  const Standings standings = played(schedule, [](const Pairing& pairing) {
    const bool against_high = pairing.engines[0] == 2 || pairing.engines[1] == 2;
    const bool wins = !against_high || pairing.round != 4;
    return wins == (pairing.engines[0] == 0) ? GameResult::black_wins : GameResult::white_wins;
  });
  const auto rated = rate_engines(contestants({"name=new", "name=low rating=0", "name=high rating=3401"}), standings);
  ASSERT_TRUE(rated) << rated.error();
  EXPECT_EQ(rated->players[0].name, "new");
  EXPECT_NEAR(*rated->players[0].rating, 3401 + elo_of_score(0.8), 1e-3);
}

TEST(Ladder, DoesWithoutTheFirstMoveWhereGamesSayNothingOfIt) {
  const Schedule schedule = *Schedule::make({.engines = 2, .rounds = 5});
  const auto engines = contestants({"name=a", "name=b rating=800"});
  const auto black = rate_engines(engines, played(schedule, [](const Pairing&) { return GameResult::black_wins; }));
  ASSERT_TRUE(black) << black.error();
  EXPECT_EQ(black->first_move, 0);
  EXPECT_NEAR(*black->players[0].rating, 800, 1e-6);
  // Nineteen to one, all of them as Black.
  const Schedule twenty = *Schedule::make({.engines = 2, .rounds = 10});
  const auto one_lost = [](const Pairing& pairing) {
    return (pairing.engines[0] == 0) != (pairing.number == 1) ? GameResult::black_wins : GameResult::white_wins;
  };
  const auto strong = rate_engines(engines, played(twenty, one_lost));
  ASSERT_TRUE(strong) << strong.error();
  EXPECT_NEAR(*strong->players[0].rating, 800 + elo_of_score(0.95), 1e-6);
  EXPECT_NEAR(*strong->players[0].error, 349, 1);
  EXPECT_EQ(strong->first_move, 0);
  EXPECT_FALSE(strong->first_move_error);
  const auto drawn = rate_engines(engines, played(schedule, [](const Pairing&) { return GameResult::draw; }));
  EXPECT_THAT(drawn.error(), HasSubstr("no game was won"));
}

TEST(Ladder, ACopyOfAGameDoesNotCountInAnyFile) {
  PlayedGame game;
  game.names = {"a", "b"};
  game.result = GameResult::black_wins;
  PlayedGame other = game;
  other.names = {"b", "a"};
  CrossTable once, twice;
  for (const PlayedGame& each : {game, other}) once.add(each);
  for (const PlayedGame& each : {game, other, game, game}) twice.add(each);
  EXPECT_EQ(once.repeats(), 0);
  EXPECT_EQ(twice.repeats(), 2);
  ASSERT_TRUE(once.rate() && twice.rate());
  EXPECT_EQ(to_table(*twice.rate()), to_table(*once.rate()));
}

TEST(Ladder, StandsInTheReport) {
  const auto report_of = [](const std::string& rating) {
    auto match = Match::make({.engines = {*parse_contestant("player=material-1 name=a"),
                                          *parse_contestant("player=random name=b " + rating)},
                              .schedule = {.rounds = 2}});
    EXPECT_TRUE(match) << match.error();
    EXPECT_THAT(final_report(*match, {}), testing::Not(HasSubstr("RATING")));  // no game yet
    match->run([](const PlayedGame&) {}, {});
    return final_report(*match, {});
  };
  const std::string report = report_of("rating=800");
  EXPECT_THAT(report, HasSubstr("RATING"));
  EXPECT_THAT(report, testing::ContainsRegex("b +: +800.0"));
  EXPECT_THAT(report_of(""), testing::Not(HasSubstr("RATING")));
}

}  // namespace
}  // namespace fuhyo::match
