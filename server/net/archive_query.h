// Targets of the archive's part of the API as queries of the catalogue (docs/openapi.json has their keys). Pure; any
// thread.
#pragma once

#include <cstdint>

#include "server/core/catalogue.h"
#include "server/net/query.h"

namespace fuhyo::net {

constexpr std::int64_t kMostGames = 100, kMostCrossed = 100, kMostPlayers = 200, kMostRounds = 100, kMostBuoys = 1000;

// Each takes its keys; what is wrong is in the query's fault().
core::GameQuery game_query(Query& query);
// Without what is said of one page, or from the side of one player.
core::CrossQuery cross_query(Query& query);
core::PlayerQuery player_query(Query& query);
core::RoundQuery round_query(Query& query);
core::BuoyQuery buoy_query(Query& query);
// "sfen": a position; nothing if there is none.
std::optional<std::int64_t> position_of(Query& query, std::string_view key);

}  // namespace fuhyo::net
