// Players who must not meet, by groups or by name.
#include <algorithm>
#include <set>

#include "server/core/tournament/explain.h"
#include "server/core/tournament/pairing.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

using Pair = std::pair<PlayerId, PlayerId>;

// p1, p2, ... in groups of so many, one after another.
Event grouped(int entrants, DivisionSettings settings, int size) {
  Event event = event_of(entrants, std::move(settings));
  for (int i = 0; i < entrants; ++i) event.entrants[static_cast<std::size_t>(i)].groups = {std::to_string(i / size)};
  return event;
}

std::set<Pair> met_in(const Event& event, const EventState& state) {
  std::set<Pair> met;
  for (std::size_t i = 0; i < event.stages[0].divisions.size(); ++i) {
    for (const auto& [number, round] : state.division({0, static_cast<int>(i)}).rounds) {
      for (const Pairing& one : round.pairings) met.insert(std::minmax(one.black, one.white));
    }
  }
  return met;
}

bool any_apart(const Event& event, const std::set<Pair>& met) {
  const EventState state(event);
  return std::ranges::any_of(met, [&](const Pair& pair) {
    const auto apart = apart_among(event, state, {pair.first, pair.second});
    return !apart[0].empty();
  });
}

TEST(Apart, GroupsAndListsAreOneRelation) {
  Event event = event_of(6, settings_for(Format::swiss, 3));
  event.entrants[0].groups = {"lab", "club"};
  event.entrants[1].groups = {"lab"};
  event.entrants[2].groups = {"club", "other"};
  event.apart = {{"p4", "p5", "p1"}, {"p4", "nobody"}};
  const auto apart = apart_among(event, EventState(event), {"p1", "p2", "p3", "p4", "p5", "p6"});
  const std::vector<std::vector<std::size_t>> right = {{1, 2, 3, 4}, {0}, {0}, {0, 4}, {0, 3}, {}};
  EXPECT_EQ(apart, right);
}

// Twelve in four groups of three: each may meet nine of the others, so nine rounds are the most.
TEST(Apart, ASwissPairsNobodyOfAGroupAndStillToItsLastRound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const int entrants : {12, 11, 8}) {
      const Event event = grouped(entrants, settings_for(Format::swiss, entrants == 8 ? 6 : 7), entrants == 8 ? 2 : 3);
      const PlayedOut simulation(event, {}, {.draws = 0.1, .forfeits = 0.02}, seed);
      EXPECT_TRUE(is_played_out(event, simulation.state(), kFirst)) << entrants << " " << seed;
      EXPECT_FALSE(any_apart(event, met_in(event, simulation.state()))) << entrants << " " << seed;
    }
  }
}

TEST(Apart, ARematchIsRatherPlayedAndAHostCannotLiftIt) {
  DivisionSettings settings = settings_for(Format::swiss, 5);
  settings.rematches = true;
  const Event event = grouped(4, settings, 2);
  const PlayedOut simulation(event);
  EXPECT_TRUE(is_played_out(event, simulation.state(), kFirst));
  EXPECT_EQ(met_in(event, simulation.state()),
            (std::set<Pair>{{"p1", "p3"}, {"p1", "p4"}, {"p2", "p3"}, {"p2", "p4"}}));

  Event alike = event_of(4, settings);
  for (int i = 0; i < 3; ++i) alike.entrants[static_cast<std::size_t>(i)].groups = {"lab"};
  const PlayedOut stuck(alike);
  EXPECT_EQ(stuck.stuck(), NotYet::apart);
  floodgate::SeededDraws draws(1);
  EXPECT_EQ(next_round(alike, stuck.state(), kFirst, draws, Rematches::allowed).error(), NotYet::apart);
  const auto by_hand = check(alike, stuck.state(),
                             RoundPaired{.division = kFirst,
                                         .round = 1,
                                         .pairings = {{.black = "p1", .white = "p2"}, {.black = "p3", .white = "p4"}},
                                         .byes = {}});
  ASSERT_TRUE(by_hand);
  EXPECT_EQ(*by_hand, (std::vector<Doubtful>{{.what = Doubt::apart, .a = "p1", .b = "p2"}}));
}

TEST(Apart, FormingSaysWhenTheRoundsCannotAllBePaired) {
  const auto doubts = [](const Event& event) {
    floodgate::SeededDraws draws(1);
    return form_division(event, EventState(event), kFirst, draws)->doubts;
  };
  EXPECT_TRUE(doubts(grouped(8, settings_for(Format::swiss, 6), 2)).empty());
  EXPECT_EQ(doubts(grouped(8, settings_for(Format::swiss, 7), 2)),
            (std::vector<Doubtful>{{.what = Doubt::apart_rounds, .a = {}, .b = {}}}));
  EXPECT_TRUE(doubts(grouped(200, settings_for(Format::swiss, 9), 20)).empty());
}

TEST(Apart, AKnockOutIsDrawnSoThatTheyMeetAsLateAsCanBe) {
  for (const int entrants : {8, 13, 16, 32}) {
    const Event event = grouped(entrants, settings_for(Format::knock_out), 2);
    floodgate::SeededDraws draws(1);
    EventState state(event);
    const auto formed = form_division(event, state, kFirst, draws);
    ASSERT_TRUE(formed);
    EXPECT_TRUE(formed->doubts.empty());
    EXPECT_EQ(formed->division.members[0].player, "p1");
    EXPECT_EQ(formed->division.members[1].player, "p2") << "seeds stay in their part of the bracket";
    state.apply(formed->division);
    const auto round = next_round(event, state, kFirst, draws);
    ASSERT_TRUE(round);
    EXPECT_TRUE(round->doubts.empty()) << entrants;
  }
  Event half = event_of(8, settings_for(Format::knock_out));
  for (int i = 0; i < 5; ++i) half.entrants[static_cast<std::size_t>(i)].groups = {"lab"};
  floodgate::SeededDraws draws(1);
  const auto formed = form_division(half, EventState(half), kFirst, draws);
  ASSERT_TRUE(formed);
  EXPECT_EQ(std::ranges::count(formed->doubts, Doubt::apart, &Doubtful::what), 1) << "five of eight";
}

TEST(Apart, OpenRoundsByOurMethodsKeepThemApart) {
  for (const auto method : {floodgate::Method::matching, floodgate::Method::swiss}) {
    DivisionSettings settings = settings_for(Format::open, 5);
    settings.method = method;
    const Event event = grouped(7, settings, 2);
    const PlayedOut simulation(event);
    EXPECT_TRUE(is_played_out(event, simulation.state(), kFirst));
    EXPECT_FALSE(any_apart(event, met_in(event, simulation.state())));
    const Event alike = grouped(4, settings, 4);
    EXPECT_EQ(PlayedOut(alike).stuck(), NotYet::apart);
  }
}

TEST(Apart, IsSaidInWords) {
  Event event = grouped(8, settings_for(Format::swiss, 7), 2);
  event.apart = {{"p1", "p8"}};
  std::string text = explain(event, 8, Language::en);
  EXPECT_NE(text.find("No two of 3 meet: p7, p8."), text.npos) << text;
  EXPECT_NE(text.find("No two of these meet: p1, p8."), text.npos) << text;
  EXPECT_NE(text.find("Doubtful: because of those who must not meet"), text.npos) << text;
  EXPECT_NE(explain(event, 8, Language::ja).find("要確認"), std::string::npos);
  event.stages[0].divisions[0].settings.rounds = 5;
  EXPECT_EQ(explain(event, 8, Language::en).find("Doubtful"), std::string::npos);
  event.stages[0].divisions[0].settings = settings_for(Format::round_robin);
  text = explain(event, 8, Language::en);
  EXPECT_NE(text.find("Who must not meet meets all the same"), text.npos) << text;
}

}  // namespace
}  // namespace fuhyo::core::tournament
