// SQL queries for finished games, and finished games out of their rows. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/core/catalogue.h"
#include "server/store/catalogue/seen.h"
#include "server/store/catalogue/sql_query.h"

namespace fuhyo::store {

constexpr std::int64_t kLongestGame_us = 90 * 24 * 3600 * core::kSecond;  // also of one that was suspended

// The players whom a name of a query matches: ids, and a name for players without a trip, who have no id.
struct PlayerMatch {
  std::vector<std::string> ids;
  std::string nameless;  // name of players without a trip, * allowed unless `exactly`; empty: none of them
  bool exactly = false;
};

// A query, and what has to be looked up before its SQL can be written.
struct ResolvedQuery {
  core::GameQuery query;
  std::optional<PlayerMatch> player, opponent;  // nothing where the query names none
  std::int64_t before_us = 0;                   // when the game of `before` ended
  // So many games have it that a scan from the newest game finds enough of them.
  bool common_position = false, common_opening = false;
  Seen seen{};
};
// Newest first, as they ended.
SqlQuery games_query(Dialect dialect, const ResolvedQuery& resolved);
core::FinishedGame listed_game(const SqlRow& row);

// Rows of black, white, how a game ended and how many did so, the players as CrossResult has them. Before those come
// (player, "", "", games) for each of the at most `players` with most games, whom the others are limited to; and
// ("", "", "players" and "games", how many there are of all).
SqlQuery cross_query(Dialect dialect, const ResolvedQuery& resolved, std::size_t players);

SqlQuery game_query(Dialect dialect, core::GameId id, const Seen& seen);
core::FinishedGame whole_game(const SqlRow& row);

}  // namespace fuhyo::store
