// Where the players of a game stand in its event, as far as spectators know. Pure; any thread.
#pragma once

#include <optional>

#include "server/core/commentary/turn.h"
#include "server/core/tournaments/event_view.h"

namespace fuhyo::core {

// Nothing: the game is one of no event that is shown, or the event has none of its players any more.
std::optional<EventStanding> event_standing_of(const EventView& events, GameId game);

}  // namespace fuhyo::core
