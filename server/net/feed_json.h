// Facts and games as the JSON of the feed (feed.h has the format). Pure; any thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/string.hpp>

#include "server/core/live_view.h"
#include "server/net/feed.h"

namespace fuhyo::net {

std::string_view event_name(const core::Fact& fact);
std::string event_json(const core::LiveChange& change, core::Comments comments);
// A whole event without an id: it does not count when a reader resumes.
std::string tick_event(core::Wall now);
// The same event as a line of JSON for scripts: {"id":7,"event":"moved","data":{..}}; without "id" where it has none.
std::string json_line(std::string_view event);
std::string snapshot_json(const std::map<core::GameId, core::LiveGame>& games,
                          const std::function<bool(core::GameId)>& wanted, core::Wall now, core::Comments comments);
// One game with the comments on all of its moves: {"v":1,"now_ms":..,"analysis":..,"game":GAME} where GAME has
// "comments", [[ply, text]..], too. `analysed`: this server analyses games, when they are over. `commentary`:
// "commentary", [[ply, Japanese, English]..]; null: nobody speaks of it.
std::string game_json(const core::LiveGame& game, core::Wall now, core::Comments comments, bool analysed,
                      const std::optional<std::vector<core::Told>>& commentary = {});
std::string commentary_json(core::GameId game, const core::Told& told);

bool are_shown(core::Comments comments, const core::GameStory& game);
std::string_view outcome_name(core::Outcome outcome);  // "black"

// Text of strangers as valid UTF-8 without control characters: each bad byte becomes U+FFFD, each control a blank.
std::string clean_utf8(std::string_view bytes);
inline boost::json::string clean(std::string_view text) { return boost::json::string(clean_utf8(text)); }

}  // namespace fuhyo::net
