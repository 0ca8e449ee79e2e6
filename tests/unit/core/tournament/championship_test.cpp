#include <algorithm>
#include <set>

#include "server/core/tournament/results.h"
#include "server/core/tournament/tables.h"
#include "tests/support/sanitized.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

// Nine rounds of Swiss for 28, then eight of them all against all, twice, and the rest another Swiss.
Event championship() {
  DivisionSettings swiss = settings_for(Format::swiss, 9);
  swiss.random_rounds = 3;
  swiss.scoring.draw_black = {400};
  swiss.scoring.draw_white = {600};
  Event event = event_of(27, swiss);
  event.entry.late_until = 4;
  DivisionSettings league = settings_for(Format::round_robin);
  league.cycles = 2;
  league.tie_breaks = {TieBreak::points, TieBreak::direct, TieBreak::sonneborn_berger, TieBreak::wins, TieBreak::lot};
  event.stages.push_back({.name = "day2"});
  event.stages[1].divisions.push_back({.name = "A", .take = 8, .settings = league});
  event.stages[1].divisions.push_back({.name = "B", .take = 0, .settings = settings_for(Format::swiss, 5)});
  return event;
}
constexpr DivisionKey kA{1, 0}, kB{1, 1};

// One event with everything that happens on such days.
constexpr Chances kDay = {.draws = 0.08, .forfeits = 0.01, .crashes = 0.03, .replays = 0.02};
void play(Simulation& simulation) {
  for (int i = 0; i < 3; ++i) simulation.step();
  EXPECT_TRUE(simulation.decide(Entered{.entrant = {.player = "late", .rate = 2300}}));
  EXPECT_TRUE(simulation.decide(Joined{.division = kFirst, .member = {.player = "late", .lot = 28}, .from = 3}));
  for (int i = 0; i < 3; ++i) simulation.step();
  EXPECT_TRUE(simulation.decide(Withdrawn{.player = "p5", .stage = 0, .from = 6}));
  while (simulation.step()) continue;
}

TEST(Championship, RunsFromTheFirstRoundToTheLastWithALateEntryACrashAndAWithdrawal) {
  const Event event = championship();
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 5 : 30); ++seed) {
    Simulation simulation(event, {}, kDay, seed);
    play(simulation);
    const EventState& state = simulation.state();
    ASSERT_EQ(simulation.stuck(), std::nullopt) << seed;
    EXPECT_EQ(state.division(kFirst).rounds.size(), 9u);
    EXPECT_EQ(state.division(kA).members.size(), 8u);
    EXPECT_EQ(state.division(kB).members.size(), 19u) << "28, less eight, less who withdrew";
    EXPECT_EQ(state.division(kA).rounds.size(), 14u);

    const Standings qualifier = standings_of(event, state, kFirst);
    std::vector<PlayerId> expected;
    for (const Standing& row : qualifier.rows) {
      if (row.player != "p5" && expected.size() < 8) expected.push_back(row.player);
    }
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(state.division(kA).members[i].player, expected[i]);

    const Standings league = standings_of(event, state, kA);
    EXPECT_TRUE(league.final);
    std::set<int> ranks;
    for (const Standing& row : league.rows) ranks.insert(row.rank);
    EXPECT_EQ(ranks.size(), 8u) << "the lot parts everybody";
  }
}

TEST(Championship, WhoComesLateHasTheAbsencesOfRoundsBefore) {
  const Event event = championship();
  Simulation simulation(event, {}, kDay, 3);
  play(simulation);
  const Ledger ledger = ledger_of(event, simulation.state(), kFirst);
  const LedgerRow& late = ledger.rows[ledger.find("late").value()];
  EXPECT_EQ(late.cells[0].kind, RoundCell::Kind::absent);
  EXPECT_EQ(late.cells[1].kind, RoundCell::Kind::absent);
  EXPECT_NE(late.cells[2].kind, RoundCell::Kind::absent);
  const LedgerRow& gone = ledger.rows[ledger.find("p5").value()];
  EXPECT_EQ(gone.left, 6);
  for (std::size_t round = 5; round < 9; ++round) EXPECT_EQ(gone.cells[round].kind, RoundCell::Kind::none);
}

TEST(Championship, AFileOfResultsLeadsToTheSameTables) {
  const Event event = championship();
  Simulation simulation(event, {}, kDay, 11);
  play(simulation);
  const auto decisions = decisions_of(event, rows_of(event, simulation.decisions()));
  ASSERT_TRUE(decisions) << decisions.error()[0].text;
  EventState state(event);
  for (const Decision& decision : *decisions) state.apply(decision);
  for (const DivisionKey key : {kFirst, kA, kB}) {
    const Table expected = table_of(event, simulation.state(), key), found = table_of(event, state, key);
    EXPECT_EQ(table_text(found, View::rounds, Language::en), table_text(expected, View::rounds, Language::en));
  }
}

TEST(Forming, DivisionsTakeTheirMembersByRankAndSayWhereARankIsShared) {
  Event event = event_of(4, settings_for(Format::round_robin));
  event.stages[0].divisions[0].settings.tie_breaks = {TieBreak::points};
  event.stages.push_back(event.stages[0]);
  event.stages[1].name = "final";
  event.stages[1].divisions[0].take = 2;
  Simulation simulation(event, {}, {.draws = 1}, 1);
  floodgate::SeededDraws draws(1);
  EXPECT_EQ(form_division(event, simulation.state(), {1, 0}, draws).error(), NotYet::stage_before);
  while (!is_over(event, simulation.state(), kFirst)) simulation.step();
  const auto formed = form_division(event, simulation.state(), {1, 0}, draws);
  ASSERT_TRUE(formed);
  ASSERT_EQ(formed->doubts.size(), 1u) << "all drew all games";
  EXPECT_EQ(formed->doubts[0], (Doubtful{.what = Doubt::shared_rank, .a = "p2", .b = "p3"}));
}

// ---- what a host may decide ----

std::string refusal(const Event& event, const EventState& state, const Decision& decision) {
  const auto checked = check(event, state, decision);
  return checked ? "" : checked.error();
}

TEST(Checks, AManualRoundIsRefusedIfItIsNoneAndDoubtedIfItBreaksRules) {
  const Event event = event_of(4, settings_for(Format::swiss, 3));
  Simulation simulation(event, {}, {.draws = 0}, 1);
  simulation.step();
  simulation.step();
  const EventState& state = simulation.state();
  RoundPaired again = state.division(kFirst).rounds.at(1);
  again.round = 2;
  const auto doubts = check(event, state, again);
  ASSERT_TRUE(doubts);
  EXPECT_EQ(std::ranges::count(*doubts, Doubt::rematch, &Doubtful::what), 2);

  RoundPaired round = again;
  round.pairings[1].white = round.pairings[0].white;
  EXPECT_EQ(refusal(event, state, round), round.pairings[0].white + " is in the round twice");
  round = again;
  const PlayerId missing = round.pairings[1].black;
  round.pairings.pop_back();
  round.byes.push_back({.player = again.pairings[1].white, .kind = ByeKind::bye});
  EXPECT_EQ(refusal(event, state, round), missing + " is missing in the round");
  round = again;
  round.pairings[0].black = "stranger";
  EXPECT_EQ(refusal(event, state, round), "stranger is not in the division");
  round = again;
  round.round = 1;
  EXPECT_EQ(refusal(event, state, round), "round 1 has results");
  round.round = 3;
  EXPECT_EQ(refusal(event, state, round), "the next round is 2");
}

TEST(Checks, AResultIsOfAGameThatIsToBePlayedByItsPlayers) {
  const Event event = event_of(4, settings_for(Format::swiss, 3));
  Simulation simulation(event, {}, {.draws = 0}, 1);
  simulation.pair();
  simulation.pair();
  const EventState& state = simulation.state();
  const DueGame due = ledger_of(event, state, kFirst).due[0];
  GameResult result{.game = due.game, .black = due.black, .white = due.white, .outcome = Outcome::black_wins};
  EXPECT_EQ(refusal(event, state, result), "");
  std::swap(result.black, result.white);
  EXPECT_EQ(refusal(event, state, result), "") << "what was played counts";
  result.game.attempt = 2;
  EXPECT_EQ(refusal(event, state, result), "this game is not to be played");
  result.game = due.game;
  result.game.board = 2;
  EXPECT_NE(refusal(event, state, result), "");
  result.game = due.game;
  result.outcome = Outcome::none;
  EXPECT_EQ(refusal(event, state, result), "that is no result of the kind 'play'");
}

TEST(State, WhoReturnsIsPairedAgainAndWhoHasLeftIsNowhere) {
  const Event event = event_of(7, settings_for(Format::swiss, 5));
  Simulation simulation(event, {}, {.draws = 0}, 1);
  simulation.step();
  simulation.step();
  ASSERT_TRUE(simulation.decide(Withdrawn{.player = "p2", .stage = 0, .from = 2}));
  EXPECT_TRUE(simulation.state().is_away("p2", 0, 4));
  EXPECT_TRUE(simulation.state().is_away("p2", 1, 1)) << "later stages, too";
  simulation.step();
  EXPECT_EQ(ledger_of(event, simulation.state(), kFirst).cell(1, 2).kind, RoundCell::Kind::none);
  ASSERT_TRUE(simulation.decide(Returned{.player = "p2", .stage = 0, .from = 3}));
  EXPECT_EQ(simulation.state().left("p2"), std::nullopt);
  simulation.step();
  const Ledger ledger = ledger_of(event, simulation.state(), kFirst);
  EXPECT_EQ(ledger.cell(1, 2).kind, RoundCell::Kind::absent);
  EXPECT_NE(ledger.cell(1, 3).kind, RoundCell::Kind::absent);
}

TEST(Checks, EntriesHaveTheirTimeAndRoom) {
  Event event = event_of(4, settings_for(Format::swiss, 3));
  event.entry = {.most = 5, .open = true, .late_until = 2};
  Simulation simulation(event, {}, {.draws = 0}, 1);
  simulation.step();
  const Entered fifth{.entrant = {.player = "fifth"}};
  const Entered sixth{.entrant = {.player = "sixth"}};
  ASSERT_TRUE(simulation.decide(fifth));
  EXPECT_EQ(refusal(event, simulation.state(), sixth), "5 have entered");
  simulation.step();
  const Joined late{.division = kFirst, .member = {.player = "fifth", .lot = 77}, .from = 2};
  EXPECT_EQ(refusal(event, simulation.state(), late), "");
  simulation.step();
  Joined later = late;
  later.from = 3;
  EXPECT_EQ(refusal(event, simulation.state(), later), "late entries were welcome up to round 2");
}

}  // namespace
}  // namespace fuhyo::core::tournament
