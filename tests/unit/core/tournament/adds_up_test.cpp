// Every table adds up: what its cells say are the points of its row, in both views.
#include <algorithm>
#include <gtest/gtest.h>
#include <string_view>

#include "server/core/tournament/tables.h"
#include "tests/unit/core/tournament/event_maker.h"
#include "tests/unit/core/tournament/table_sums.h"

namespace fuhyo::core::tournament {
namespace {

Terms odd_terms(Format format, std::uint64_t seed) {
  Terms terms = terms_for(format, 5);
  if (format == Format::open && seed % 2 == 0) terms.rounds = 0;
  terms.rematches = true;
  terms.games = seed % 3 == 0 ? 2 : 1;
  terms.scoring = {.win = {3000}, .draw_black = {900}, .draw_white = {1100}, .loss = {200}};
  terms.scoring.forfeit_win = {2500};
  terms.scoring.forfeit_loss = {-500};
  terms.scoring.bye = {1700};
  terms.scoring.absent = {600};
  if (seed % 2 == 0) terms.withdrawn = WithdrawnGames::annul;
  if (seed % 4 == 0 && format != Format::knock_out) terms.draws = DrawRule::replay, terms.replays = 1;
  return terms;
}

TEST(Tables, AddUpInEveryFormatWithWithdrawalsByesAndWalkovers) {
  for (const auto& [format, rules] : kFormats) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const int entrants = format == Format::match ? 2 : 5 + static_cast<int>(seed % 6);
      const Event event = event_of(entrants, odd_terms(format, seed));
      Simulation simulation(event, {}, {.draws = 0.2, .forfeits = 0.1, .crashes = 0.05, .replays = 0.05}, seed);
      for (int round = 0; round < 12 && simulation.step(); ++round) {
        const auto who = player(1 + static_cast<int>(simulation.draws().below(static_cast<std::uint64_t>(entrants))));
        const bool goes = simulation.draws().below(3) == 0, back = simulation.draws().below(2) == 0;
        const int next = simulation.state().division(kFirst).rounds.empty()
                             ? 1
                             : simulation.state().division(kFirst).rounds.rbegin()->first + 1;
        if (goes) {
          const Withdrawn away{.player = who, .stage = 0, .from = next, .until = back ? next : 0};
          EXPECT_TRUE(simulation.decide(away));
        }
        const std::string what = std::string(to_string(format)) + " " + std::to_string(seed);
        expect_adds_up(table_of(event, simulation.state(), kFirst), event.stages[0].divisions[0].terms.scoring, what);
      }
    }
  }
}

TEST(Tables, AWalkoverStandsInBothCellsOfACrossTable) {
  const Event event = event_of(3, terms_for(Format::round_robin));
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

}  // namespace
}  // namespace fuhyo::core::tournament
