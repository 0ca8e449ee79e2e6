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

// The players whom a name of a query matches: ids, and a name for players without a trip, who have no id.
struct PlayerMatch {
  std::vector<std::string> ids;
  std::string nameless;  // name of players without a trip, * allowed unless `exactly`; empty: none of them
  bool exactly = false;
};

// What a query may ask for and few games may have: each is found by an index.
enum class Criterion : std::uint8_t {
  position,
  opening,
  player,
  opponent,
  game_name,
  room,
  outcome,
  end_kind,
  plies,
  rate
};

// A query, and what has to be looked up before its SQL can be written.
struct ResolvedQuery {
  core::GameQuery query;
  std::optional<PlayerMatch> player, opponent;  // nothing where the query names none
  // Of the archive, that the query means. Nothing: too many to look for them.
  std::optional<std::vector<std::string>> game_names{};
  std::int64_t before_us = 0;   // when the game of `before` ended
  std::int64_t over_by_us = 0;  // by when all games were over that began until the day `to`
  // So few games have it that they are looked up, and nothing else; without it games are gone through, the newest
  // first.
  std::optional<Criterion> rare{};
  Seen seen{};
};
// A game that lasts longer is one of a few, and has an index, which says it, too.
constexpr std::int64_t kLongGame_us = 24 * 3600 * core::kSecond;

bool is_one(const std::optional<PlayerMatch>& wanted);  // with an id, whose games lie in the order of their ends
// By which a day has begun, and is over, in all zones.
std::int64_t earliest_us(std::string_view day);
std::int64_t latest_us(std::string_view day);
// Those that can be looked up.
std::vector<Criterion> criteria_of(const ResolvedQuery& resolved);
// "SELECT `what` FROM .. WHERE ..": of all games that have it, without the other criteria.
void add_games_with(SqlQuery& sql, const ResolvedQuery& resolved, Criterion criterion, std::string_view what);

// When the last of the long games ended that began before then; 0: there is none.
SqlQuery long_games_query(Dialect dialect, std::int64_t began_us);
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
