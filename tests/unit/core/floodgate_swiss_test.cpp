#include <map>
#include <set>

#include "tests/unit/core/floodgate_field.h"

namespace fuhyo::core::floodgate {
namespace {

// An event in which the stronger wins (a draw now and then), every player in every round.
struct Event {
  std::vector<int> rates;
  History history;
  SeededDraws draws{5};
  std::set<std::pair<std::string, std::string>> met;
  std::map<std::string, int> byes;
  int rematches = 0;

  explicit Event(int players) {
    for (int i = 0; i < players; ++i) rates.push_back(2000 - 17 * i);
  }
  Pairings play(std::uint64_t number) {
    const Round round = round_of(number, Method::swiss, rates);
    const Pairings pairings = pair(round, history, draws);
    expect_complete(round, pairings);
    std::map<std::string, int> rate;
    for (const Entrant& entrant : round.entrants) rate[entrant.id] = entrant.rate;
    for (const PairedGame& paired : pairings.games) {
      rematches += met.insert(std::minmax(paired.black, paired.white)).second ? 0 : 1;
      Played played{"", paired.black, paired.white, "", "", number};
      if (draws.below(5) != 0) {
        const bool black = rate[paired.black] > rate[paired.white];
        played.winner = black ? paired.black : paired.white;
        played.loser = black ? paired.white : paired.black;
      }
      history.record(played);
    }
    for (const SitOut& out : pairings.sit_outs) {
      ++byes[out.id];
      history.sit_out(out.id, number);
    }
    return pairings;
  }
};

TEST(Swiss, TheFirstRoundFoldsTheField) {
  Event event(8);
  const Pairings pairings = event.play(1);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(opponent_of(pairings, player(i, 0).id), player(i + 4, 0).id);
}

TEST(Swiss, NobodyMeetsTwiceOrSitsOutTwiceAndColoursAlternate) {
  for (const int players : {9, 15, 16, 33}) {
    Event event(players);
    for (std::uint64_t number = 1; number <= 7; ++number) event.play(number);
    EXPECT_EQ(event.rematches, 0) << players;
    for (const auto& [id, byes] : event.byes) EXPECT_EQ(byes, 1) << id;
    EXPECT_EQ(event.byes.size(), players % 2 == 0 ? 0u : 7u);
    for (int i = 0; i < players; ++i) {
      const History::Standing standing = event.history.standing(player(i, 0).id);
      EXPECT_LE(std::abs(standing.balance), 2) << players << " " << i;
      EXPECT_LE(std::abs(standing.same_colour), 2) << players << " " << i;
    }
  }
}

TEST(Swiss, PlayersOfLikeScoreMeet) {
  Event event(32);
  for (std::uint64_t number = 1; number <= 4; ++number) {
    const Round round = round_of(number, Method::swiss, event.rates);
    const History before = event.history;
    int far_apart = 0;
    for (const PairedGame& paired : event.play(number).games) {
      far_apart += std::abs(before.standing(paired.black).half_points - before.standing(paired.white).half_points) > 2;
    }
    EXPECT_LE(far_apart, 1) << number;
  }
}

TEST(Swiss, TheLowestScoreSitsOut) {
  const Round round = round_of(2, Method::swiss, {2000, 1900, 1800, 1700, 1600});
  History history;
  history.record(game(1, round.entrants[0], round.entrants[1], -1));
  history.record(game(1, round.entrants[2], round.entrants[3], -1));
  history.sit_out(round.entrants[4].id, 1);
  const std::string out = pairings_of(round, history).sit_outs.at(0).id;
  EXPECT_TRUE(out == round.entrants[0].id || out == round.entrants[2].id) << out;
}

TEST(Swiss, WhereAllHaveMetTheyMeetAgain) {
  Event event(4);
  for (std::uint64_t number = 1; number <= 3; ++number) event.play(number);
  EXPECT_EQ(event.rematches, 0) << "three rounds are a round robin";
  event.play(4);
  EXPECT_EQ(event.rematches, 2);
}

}  // namespace
}  // namespace fuhyo::core::floodgate
