// Answers of the catalogue as the JSON of the API (docs/openapi.json). Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/catalogue.h"
#include "server/core/civil_time.h"

namespace fuhyo::net {

// When the next round of a group is held; nothing: by hand only.
struct RoundTime {
  std::string group;
  std::optional<core::Wall> next;
};

// `more`: there are older ones than these.
std::string games_json(const std::vector<core::FinishedGame>& games, bool more);
std::string cross_json(const core::CrossAnswer& answer);
std::string players_json(const core::PlayerList& list);
// `zone`: the server's, in which its days begin and end.
std::string player_json(const core::PlayerPage& page, const core::TimeZone& zone);
// Groups that have held no round are those of `times` alone.
std::string rounds_json(const core::RoundList& list, const std::vector<RoundTime>& times, bool more);
// At most `most` of the buoys; "next": the name behind which there are more.
std::string buoys_json(const std::vector<core::Fact>& facts, std::size_t most);
std::string continuations_json(const std::vector<core::Continuation>& moves);

// RSS 2.0 (rssboard.org/rss-specification) of these games. `site`: "https://host:port", where the pages are.
std::string games_rss(const std::vector<core::FinishedGame>& games, std::string_view site);

}  // namespace fuhyo::net
