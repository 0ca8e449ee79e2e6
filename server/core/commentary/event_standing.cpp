#include "server/core/commentary/event_standing.h"

#include <algorithm>

#include "server/core/tournament/standings.h"

namespace fuhyo::core {
namespace {

EventStanding standing_in(const RunningEvent& event, const tournament::GameKey& game) {
  const tournament::Ledger ledger = event.ledger(game.division);
  EventStanding standing{.event = event.name(), .round = game.round, .players = {}};
  for (const tournament::Standing& row : tournament::standings_of(ledger).rows) {
    const auto& marks = ledger.cell(row.place, game.round).marks;
    const auto mark = std::ranges::find(marks, game, &tournament::Mark::game);
    if (mark == marks.end()) continue;
    standing.players.at(mark->black ? 0 : 1) = {.rank = row.rank, .points = tournament::to_text(row.points)};
  }
  return standing;
}

}  // namespace

std::optional<EventStanding> event_standing_of(const EventView& events, GameId game) {
  for (const auto& [name, shown] : events.all()) {
    const auto found = std::ranges::find(shown.event.games, game, &decltype(shown.event.games)::value_type::second);
    if (found == shown.event.games.end()) continue;
    EventStanding standing = standing_in(shown.event, found->first);
    if (std::ranges::all_of(standing.players, [](const auto& player) { return player.rank > 0; })) return standing;
  }
  return std::nullopt;
}

}  // namespace fuhyo::core
