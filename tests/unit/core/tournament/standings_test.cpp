#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "server/core/tournament/tables.h"
#include "tests/support/sanitized.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

// ---- every figure a second time, straight from the decisions and without the ledger ----

struct Naive {
  struct Game {
    PlayerId other;
    bool black, played, won, drawn, fault;
    std::int64_t points;
    int plies, round;
  };
  std::map<PlayerId, std::vector<Game>> games;
  std::map<PlayerId, std::int64_t> total;
  // Rounds without a game against anybody: their points.
  std::map<PlayerId, std::vector<std::int64_t>> alone;
  std::map<PlayerId, std::map<int, PlayerId>> opponents;  // by rounds that were played

  Naive(const Event& event, const EventState& state) {
    const Scoring& scoring = event.stages[0].divisions[0].settings.scoring;
    const DivisionState& division = state.division(kFirst);
    for (const auto& [round, paired] : division.rounds) {
      std::set<PlayerId> busy;
      for (const Bye& bye : paired.byes) {
        busy.insert(bye.player);
        if (bye.kind == ByeKind::bye) alone[bye.player].push_back(scoring.bye.milli);
      }
      for (const Pairing& pairing : paired.pairings) busy.insert(pairing.black), busy.insert(pairing.white);
      for (const Entrant& entrant : state.entrants()) {
        const bool there =
            std::ranges::any_of(division.members, [&](auto& m) { return m.player == entrant.player; }) ||
            std::ranges::any_of(division.joined, [&](auto& j) { return j.member.player == entrant.player; });
        const auto left = state.left(entrant.player);
        const bool gone = left && left->round <= round;
        if (there && !gone && !busy.contains(entrant.player)) alone[entrant.player].push_back(scoring.absent.milli);
      }
    }
    for (const auto& [key, result] : division.results) {
      if (result.how == How::replayed || result.how == How::voided) continue;
      add(scoring, key.round, result, true);
      add(scoring, key.round, result, false);
    }
    for (auto& [who, list] : games)
      for (const Game& game : list) total[who] += game.points;
    for (auto& [who, list] : alone)
      for (const std::int64_t points : list) total[who] += points;
  }

  void add(const Scoring& scoring, int round, const GameResult& result, bool black) {
    const bool forfeit = result.how == How::forfeit, drawn = result.outcome == Outcome::draw;
    const bool won = result.outcome == (black ? Outcome::black_wins : Outcome::white_wins);
    const PlayerId& who = black ? result.black : result.white;
    const PlayerId& other = black ? result.white : result.black;
    std::int64_t points = won ? 1000 : 0;
    if (drawn) points = (black ? scoring.draw_black : scoring.draw_white).milli;
    if (forfeit) {
      alone[who].push_back(points);
      games[who].push_back({"", black, false, won, false, !won, 0, 0, round});
      return;
    }
    const bool fault = !won && !drawn && result.end == EndKind::abnormal;
    games[who].push_back({other, black, true, won, drawn, fault, points, result.plies, round});
    opponents[who][round] = other;
  }

  std::int64_t figure(const PlayerId& who, TieBreak by) {
    std::int64_t sum = 0;
    std::vector<std::int64_t> terms;
    for (const auto& [round, other] : opponents[who]) terms.push_back(total[other]);
    for (std::size_t i = 0; i < alone[who].size(); ++i) terms.push_back(total[who]);
    std::ranges::sort(terms);
    switch (by) {
      case TieBreak::points:
        return total[who];
      case TieBreak::sonneborn_berger:
        for (const Game& game : games[who]) sum += game.points * (game.played ? total[game.other] : 0);
        for (const std::int64_t points : alone[who]) sum += points * total[who];
        return sum;
      case TieBreak::buchholz:
        for (const std::int64_t term : terms) sum += term;
        return sum;
      case TieBreak::median:
        for (std::size_t i = 1; i + 1 < terms.size(); ++i) sum += terms[i];
        return sum;
      case TieBreak::beaten:
        for (const Game& game : games[who]) sum += game.played && game.won ? total[game.other] : 0;
        return sum;
      case TieBreak::wins:
        return std::ranges::count_if(games[who], [](auto& g) { return g.played && g.won; });
      case TieBreak::wins_as_white:
        return std::ranges::count_if(games[who], [](auto& g) { return g.played && g.won && !g.black; });
      case TieBreak::faults:
        return std::ranges::count_if(games[who], [](auto& g) { return g.fault; });
      case TieBreak::fewest_moves:
        for (const Game& game : games[who]) sum += game.played && game.won ? game.plies : 0;
        return sum;
      default:
        return -1;
    }
  }
};

constexpr TieBreak kNaive[] = {TieBreak::points,        TieBreak::sonneborn_berger, TieBreak::buchholz,
                               TieBreak::median,        TieBreak::beaten,           TieBreak::wins,
                               TieBreak::wins_as_white, TieBreak::faults,           TieBreak::fewest_moves};

void expect_ordered(const Standings& standings) {
  for (std::size_t i = 0; i + 1 < standings.rows.size(); ++i) {
    const Standing& a = standings.rows[i];
    const Standing& b = standings.rows[i + 1];
    if (!a.before_next) {
      EXPECT_EQ(a.rank, b.rank);
      EXPECT_TRUE(a.shared && b.shared);
    } else {
      EXPECT_EQ(b.rank, static_cast<int>(i) + 2);
    }
    for (std::size_t by = 0; by < standings.by.size(); ++by) {
      if (a.before_next && by == *a.before_next) {
        const bool less = *a.figures[by] < *b.figures[by];
        EXPECT_NE(*a.figures[by], *b.figures[by]);
        EXPECT_EQ(less, less_is_better(standings.by[by]));
        break;
      }
      if (standings.by[by] != TieBreak::direct) EXPECT_EQ(a.figures[by], b.figures[by]) << i << " " << by;
    }
  }
}

TEST(Standings, FiguresAreWhatANaiveReadingOfTheResultsSays) {
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 30 : 200); ++seed) {
    DivisionSettings settings = settings_for(Format::swiss, 5 + static_cast<int>(seed % 3));
    settings.tie_breaks.assign(std::begin(kNaive), std::end(kNaive));
    if (seed % 2 == 0) settings.scoring.draw_black = {400}, settings.scoring.draw_white = {600};
    if (seed % 3 == 0) settings.scoring.absent = kHalfPoint;
    Event event = event_of(13 + static_cast<int>(seed % 8), settings);
    event.entry.late_until = 3;
    Simulation simulation(event, {}, {.draws = 0.2, .forfeits = 0.05, .crashes = 0.05, .replays = 0.05}, seed);
    simulation.step();
    simulation.step();
    ASSERT_TRUE(simulation.decide(Withdrawn{.player = "p3", .stage = 0, .from = 2}));
    ASSERT_TRUE(simulation.decide(Withdrawn{.player = "p4", .stage = 0, .from = 2, .until = 2}));
    ASSERT_TRUE(simulation.decide(Entered{.entrant = {.player = "late"}}));
    ASSERT_TRUE(simulation.decide(Joined{.division = kFirst, .member = {.player = "late", .lot = 99}, .from = 2}));
    while (simulation.step()) {
      Naive naive(event, simulation.state());
      const Standings standings = standings_of(event, simulation.state(), kFirst);
      for (const Standing& row : standings.rows) {
        for (std::size_t by = 0; by < std::size(kNaive); ++by) {
          ASSERT_EQ(*row.figures[by], naive.figure(row.player, kNaive[by]))
              << seed << row.player << to_string(kNaive[by]);
        }
      }
      expect_ordered(standings);
    }
    EXPECT_TRUE(standings_of(event, simulation.state(), kFirst).final) << seed;
  }
}

// ---- by hand ----

GameResult result(int round, int board, const PlayerId& black, const PlayerId& white, Outcome outcome) {
  return {.game = {.division = kFirst, .round = round, .board = board},
          .black = black,
          .white = white,
          .outcome = outcome,
          .end = EndKind::toryo,
          .plies = 100};
}

// Plays a round robin whose winners are told by a table: better[{a, b}] is true where a beats b, whatever the colours.
EventState played(const Event& event, const std::set<std::pair<PlayerId, PlayerId>>& wins) {
  EventState state(event);
  floodgate::SeededDraws draws(1);
  state.apply(form_division(event, state, kFirst, draws)->division);
  while (const auto next = next_round(event, state, kFirst, draws)) {
    state.apply(next->round);
    for (const DueGame& due : ledger_of(event, state, kFirst).due) {
      const bool black = wins.contains({due.black, due.white});
      state.apply(result(due.game.round, due.game.board, due.black, due.white,
                         black ? Outcome::black_wins : Outcome::white_wins));
    }
  }
  return state;
}

TEST(Standings, TwoThatAreTiedArePartedByTheirOwnGame) {
  DivisionSettings settings = settings_for(Format::round_robin);
  settings.tie_breaks = {TieBreak::points, TieBreak::direct};
  const Event event = event_of(4, settings);
  // p1 and p2 have two points each, and p2 beat p1; p3 and p4 one each, and p4 beat p3.
  const EventState state =
      played(event, {{"p2", "p1"}, {"p1", "p3"}, {"p1", "p4"}, {"p2", "p3"}, {"p4", "p2"}, {"p3", "p4"}});
  const Standings standings = standings_of(event, state, kFirst);
  ASSERT_EQ(standings.rows.size(), 4u);
  EXPECT_EQ(standings.rows[0].player, "p2");
  EXPECT_EQ(standings.rows[1].player, "p1");
  EXPECT_EQ(explain_rank(standings, 0, Language::en), "p2 before p1 by direct encounter (1 : 0)");
  EXPECT_EQ(explain_rank(standings, 1, Language::en), "") << "points decide";
  EXPECT_EQ(explain_rank(standings, 2, Language::en), "p3 before p4 by direct encounter (1 : 0)");
}

TEST(Standings, ThreeInACircleShareARankUntilSomethingPartsThem) {
  DivisionSettings settings = settings_for(Format::round_robin);
  settings.tie_breaks = {TieBreak::points, TieBreak::direct};
  Event event = event_of(4, settings);
  const std::set<std::pair<PlayerId, PlayerId>> wins = {{"p1", "p2"}, {"p2", "p3"}, {"p3", "p1"},
                                                        {"p1", "p4"}, {"p2", "p4"}, {"p3", "p4"}};
  Standings standings = standings_of(event, played(event, wins), kFirst);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(standings.rows[i].rank, 1);
    EXPECT_TRUE(standings.rows[i].shared);
    EXPECT_EQ(standings.rows[i].figures[1], 1000) << "one win each among the three";
  }
  EXPECT_EQ(standings.rows[3].rank, 4);
  EXPECT_EQ(explain_rank(standings, 0, Language::en), "p1 and p2 share rank 1");

  event.stages[0].divisions[0].settings.tie_breaks.push_back(TieBreak::seed);
  standings = standings_of(event, played(event, wins), kFirst);
  EXPECT_EQ(standings.rows[1].rank, 2);
  EXPECT_EQ(explain_rank(standings, 0, Language::ja), "p1 は p2 より上位: シード順 (1 : 2)");
}

TEST(Standings, DirectEncounterSaysNothingOfThoseWhoHaveNotAllMet) {
  DivisionSettings settings = settings_for(Format::swiss, 2);
  settings.tie_breaks = {TieBreak::points, TieBreak::direct};
  const Event event = event_of(4, settings);
  EventState state(event);
  state.apply(DivisionFormed{kFirst, {{"p1", 1}, {"p2", 2}, {"p3", 3}, {"p4", 4}}});
  state.apply(RoundPaired{kFirst, 1, {{.black = "p1", .white = "p2"}, {.black = "p3", .white = "p4"}}, {}});
  state.apply(result(1, 1, "p1", "p2", Outcome::black_wins));
  state.apply(result(1, 2, "p3", "p4", Outcome::black_wins));
  const Standings standings = standings_of(event, state, kFirst);
  EXPECT_EQ(standings.rows[1].rank, 1);
  EXPECT_EQ(standings.rows[1].figures[1], std::nullopt);
}

TEST(Standings, ProductsOfPointsAreWrittenExactly) {
  EXPECT_EQ(figure_text(TieBreak::sonneborn_berger, 3'000'000), "3");
  EXPECT_EQ(figure_text(TieBreak::sonneborn_berger, 1'440'000), "1.44");
  EXPECT_EQ(figure_text(TieBreak::sonneborn_berger, 123'456), "0.123456");
}

TEST(Standings, OrderOfArrivalDoesNotMatter) {
  const Event event = event_of(9, settings_for(Format::swiss, 5));
  const PlayedOut simulation(event, {}, {.draws = 0.1, .forfeits = 0.1, .replays = 0.1}, 4);
  floodgate::SeededDraws draws(7);
  for (int i = 0; i < 20; ++i) {
    std::vector<Decision> shuffled = simulation.decisions();
    floodgate::shuffle(shuffled, draws);
    EventState state(event);
    for (const Decision& decision : shuffled) state.apply(decision);
    EXPECT_EQ(state, simulation.state());
    for (const Decision& decision : shuffled) state.apply(decision);
    EXPECT_EQ(state, simulation.state()) << "twice is as good as once";
  }
}

TEST(Tables, AWalkoverStandsInBothCellsOfACrossTable) {
  const Event event = event_of(3, settings_for(Format::round_robin));
  Simulation simulation(event, {}, {.draws = 0}, 1);
  simulation.step();
  ASSERT_TRUE(simulation.decide(Withdrawn{.player = "p3", .stage = 0, .from = 1}));
  while (simulation.step()) continue;
  const Table table = table_of(event, simulation.state(), kFirst);
  const auto row = [&](std::string_view player) {
    return static_cast<std::size_t>(std::ranges::find(table.rows, player, &TableRow::player) - table.rows.begin());
  };
  EXPECT_EQ(marks_text(table.meetings(row("p1"), row("p3")), Language::en), "f+");
  EXPECT_EQ(marks_text(table.meetings(row("p3"), row("p1")), Language::en), "f-");
  EXPECT_EQ(marks_text(table.meetings(row("p3"), row("p2")), Language::ja), "不戦敗");
  EXPECT_EQ(table.rows[row("p3")].points, kNoPoints);
  EXPECT_FALSE(table.has_alone());
}

TEST(Performance, TheStrongerPerformsBetterAndTheMeanIsThatOfTheRates) {
  const Event event = event_of(8, settings_for(Format::round_robin));
  const PlayedOut simulation(event, {{"p1", 4000}, {"p8", 0}}, {.draws = 0.1}, 5);
  const Ledger ledger = ledger_of(event, simulation.state(), kFirst);
  const auto performances = performances_of(ledger, simulation.state());
  double sum = 0, rates = 0;
  for (std::size_t i = 0; i < performances.size(); ++i) {
    ASSERT_TRUE(performances[i] && performances[i]->error);
    sum += performances[i]->rate;
    rates += event.entrants[i].rate;
    if (i > 0) EXPECT_GT(performances[0]->rate, performances[i]->rate);
    if (i < 7) EXPECT_GT(performances[i]->rate, performances[7]->rate);
  }
  EXPECT_NEAR(sum, rates, 1e-6);
}

}  // namespace
}  // namespace fuhyo::core::tournament
