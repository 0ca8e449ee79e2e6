// players.yaml, the table of ratings as shogi-server and mk_rate keep it. Pure functions; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "server/core/rating/table.h"
#include "server/core/server.h"
#include "server/store/file_fault.h"

namespace fuhyo::store {

// The whole table, or what is wrong with it: a part of a table is worse than the former one. A player who stands in two
// groups has the rate of the first, as shogi-server reads it. An empty file is an empty table.
std::expected<core::PlayerRatings, FileFault> read_players(std::string_view text, const std::string& file);

// As mk_rate writes it: groups by number, players by id, times in this zone.
std::string write_players(const core::PlayerRatings& ratings, const core::TimeZone& zone);

}  // namespace fuhyo::store
