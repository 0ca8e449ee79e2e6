// Events as the JSON of the API (docs/openapi.json has the keys). What spectators may not know yet is not in the view
// that it is made of. Pure; any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/live_view.h"
#include "server/core/lobby/waiter.h"
#include "server/core/tournaments/event_view.h"

namespace fuhyo::net {

// What of an event changes without a decision.
struct EventPresence {
  std::map<core::tournament::GameKey, core::GameId> playing;  // games that are seen, and not over
  bool known = false;                                         // whether it is known who waits
  std::set<std::string> waiting;                              // entrants who wait for it
  bool operator==(const EventPresence&) const = default;
};
EventPresence presence_of(const core::EventView::Shown& shown, const std::map<core::GameId, core::LiveGame>& games,
                          const std::vector<core::Waiter>* lobby);

// Whether it can be shown: its settings are known, and this server understands them.
bool is_shown(const core::EventView::Shown& shown);

// One of a list: how far it has come, and what comes next.
std::string event_row_json(const core::EventView::Shown& shown, const EventPresence& presence,
                           const core::TimeZone& zone);
// All of it, but for the braces: it follows other keys.
std::string event_keys_json(const core::EventView::Shown& shown, const EventPresence& presence,
                            const core::TimeZone& zone);

}  // namespace fuhyo::net
