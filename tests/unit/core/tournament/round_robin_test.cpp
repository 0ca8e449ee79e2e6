#include <map>

#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

// Of a round whose results are missing: "1-0" rests.
std::string text_of(int members, int round) {
  DivisionSettings settings = settings_for(Format::round_robin);
  settings.cycles = 2;
  const Event event = event_of(members, settings);
  Simulation simulation(event, {}, {}, 1);
  for (int step = 0; step <= round; ++step) EXPECT_TRUE(simulation.pair());  // the first forms the division
  const RoundPaired& paired = simulation.state().division(kFirst).rounds.at(round);
  std::string text;
  for (const Bye& bye : paired.byes) text += bye.player.substr(1) + "-0 ";
  for (const Pairing& pairing : paired.pairings) text += pairing.black.substr(1) + "-" + pairing.white.substr(1) + " ";
  text.pop_back();
  return text;
}

// FIDE Handbook C.05, Annex 1: the table of 5 or 6 players, and that of 8.
TEST(RoundRobin, FollowsThePublishedBergerTables) {
  const char* six[] = {"1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"};
  for (int round = 1; round <= 5; ++round) EXPECT_EQ(text_of(6, round), six[round - 1]);
  const char* eight[] = {"1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3",
                         "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"};
  for (int round = 1; round <= 7; ++round) EXPECT_EQ(text_of(8, round), eight[round - 1]);
  EXPECT_EQ(text_of(5, 1), "1-0 2-5 3-4");
  EXPECT_EQ(text_of(6, 6), "6-1 5-2 4-3") << "the second cycle changes colours";
}

TEST(RoundRobin, EverybodyMeetsEverybodyInEachCycleWithBothColours) {
  for (int members = 2; members <= 12; ++members) {
    DivisionSettings settings = settings_for(Format::round_robin);
    settings.cycles = 2;
    const Event event = event_of(members, settings);
    const PlayedOut simulation(event);
    const DivisionState& played = simulation.state().division(kFirst);
    std::map<std::pair<PlayerId, PlayerId>, int> games;
    for (const auto& [key, result] : played.results) ++games[{result.black, result.white}];
    EXPECT_EQ(games.size(), static_cast<std::size_t>(members * (members - 1)));
    for (const auto& [two, count] : games) EXPECT_EQ(count, 1);
    EXPECT_EQ(played.rounds.size(), static_cast<std::size_t>(rounds_of(settings, static_cast<std::size_t>(members))));
    EXPECT_EQ(simulation.stuck(), std::nullopt);
    EXPECT_TRUE(is_over(event, simulation.state(), kFirst));
    for (const auto& [number, round] : played.rounds) expect_complete(round, static_cast<std::size_t>(members));
  }
}

TEST(RoundRobin, RoundsArePairedAheadOfResults) {
  const Event event = event_of(6, settings_for(Format::round_robin));
  Simulation simulation(event, {}, {}, 1);
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(simulation.pair()) << i;
  EXPECT_FALSE(simulation.pair());
  EXPECT_EQ(ledger_of(event, simulation.state(), kFirst).due.size(), 15u);
}

TEST(RoundRobin, GamesOfWhoLeavesEarlyCountForNobodyIfTheHostSaysSo) {
  DivisionSettings settings = settings_for(Format::round_robin);
  settings.withdrawn = WithdrawnGames::annul;
  const Event event = event_of(6, settings);
  for (const int from : {3, 4}) {  // after two and three of five rounds
    Simulation simulation(event, {}, {.draws = 0}, 3);
    for (int i = 0; i < from; ++i) simulation.step();
    ASSERT_TRUE(simulation.decide(Withdrawn{.player = "p2", .stage = 0, .from = from}));
    while (simulation.step()) continue;
    const Ledger ledger = ledger_of(event, simulation.state(), kFirst);
    Points all;
    for (const LedgerRow& row : ledger.rows) all += row.points;
    EXPECT_EQ(all, Points{from == 3 ? 10'000 : 15'000}) << "of the five others alone, or of all six";
    if (from == 3) EXPECT_EQ(ledger.rows[1].points, kNoPoints);
  }
}

TEST(Gauntlet, SeedsMeetAllOthersAndNobodyElse) {
  for (int members = 2; members <= 9; ++members) {
    for (int seeds = 1; seeds < members; ++seeds) {
      DivisionSettings settings = settings_for(Format::gauntlet);
      settings.seeds = seeds;
      settings.cycles = 2;
      const Event event = event_of(members, settings);
      const PlayedOut simulation(event);
      std::map<std::pair<PlayerId, PlayerId>, int> games;
      const DivisionState& played = simulation.state().division(kFirst);
      for (const auto& [key, result] : played.results) ++games[{result.black, result.white}];
      EXPECT_EQ(games.size(), static_cast<std::size_t>(2 * seeds * (members - seeds))) << members << " " << seeds;
      for (const auto& [two, count] : games) {
        EXPECT_EQ(count, 1) << two.first << " " << two.second;
        EXPECT_NE(std::stoi(two.first.substr(1)) <= seeds, std::stoi(two.second.substr(1)) <= seeds);
      }
      for (const auto& [number, round] : played.rounds) expect_complete(round, static_cast<std::size_t>(members));
    }
  }
}

TEST(Match, ColoursChangeAndItStopsWhenItIsDecided) {
  DivisionSettings settings = settings_for(Format::match, 10);
  settings.stop_when_decided = true;
  const Event event = event_of(2, settings);
  const PlayedOut simulation(event, {{"p1", 5000}}, {.draws = 0}, 1);
  const DivisionState& played = simulation.state().division(kFirst);
  EXPECT_EQ(played.results.size(), 6u);
  for (const auto& [key, result] : played.results) EXPECT_EQ(result.black, player(key.round % 2 == 1 ? 1 : 2));
  EXPECT_TRUE(is_over(event, simulation.state(), kFirst));
}

}  // namespace
}  // namespace fuhyo::core::tournament
