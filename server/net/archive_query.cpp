#include "server/net/archive_query.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <initializer_list>
#include <string>

#include "engines/record/opening.h"
#include "engines/shogi/position.h"
#include "server/core/position_key.h"

namespace fuhyo::net {
namespace {

constexpr std::int64_t kMostPlies = 100'000;
constexpr std::size_t kLongestText = 200;
constexpr std::string_view kOfPlayer = "says something of `player` only";

std::string text(Query& query, std::string_view key) {
  std::string value = query.text(key);
  if (value.size() > kLongestText) query.refuse(key, "is too long");
  return value;
}

template <class Value>
struct Choice {
  std::string_view word;
  Value meaning;
};
// Nothing: the key is not there, or is none of them.
template <class Value>
std::optional<Value> one_of(Query& query, std::string_view key, std::initializer_list<Choice<Value>> choices) {
  const std::string value = query.text(key);
  if (value.empty()) return std::nullopt;
  for (const auto& [word, meaning] : choices) {
    if (word == value) return meaning;
  }
  std::string words;
  for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : ", ") + std::string(word);
  query.refuse(key, "one of " + words);
  return std::nullopt;
}

// "2026-11-22" as tables spell it: "2026/11/22".
std::string day(Query& query, std::string_view key) {
  std::string value = query.text(key);
  if (value.empty()) return value;
  bool fine = value.size() == 10 && value[4] == '-' && value[7] == '-';
  for (std::size_t i = 0; fine && i < value.size(); ++i) {
    fine = i == 4 || i == 7 || (value[i] >= '0' && value[i] <= '9');
  }
  if (!fine) query.refuse(key, "a day, like 2026-11-22");
  std::ranges::replace(value, '-', '/');
  return value;
}

core::Wall moment(Query& query, std::string_view key) {
  constexpr std::int64_t kLastMs = INT64_MAX / 1000;
  return {query.number(key, 0, kLastMs, 0) * 1000};
}

// The keys that choose a set of games, for all readers of it.
core::GameQuery set_of_games(Query& query) {
  core::GameQuery wanted;
  wanted.player = text(query, "player");
  wanted.opponent = text(query, "opponent");
  if (!wanted.opponent.empty() && wanted.player.empty()) query.refuse("opponent", kOfPlayer);
  using core::Outcome;
  wanted.outcome = one_of<Outcome>(query, "outcome",
                                   {{"black", Outcome::black_wins},
                                    {"white", Outcome::white_wins},
                                    {"draw", Outcome::draw},
                                    {"none", Outcome::none}});
  wanted.game_name = text(query, "event");
  wanted.room = text(query, "room");
  wanted.end_kind = text(query, "end");
  if (!wanted.end_kind.empty() && !core::end_kind_of(wanted.end_kind)) query.refuse("end", "there is no such end");
  wanted.from = day(query, "from");
  wanted.to = day(query, "to");
  wanted.ended_from = moment(query, "ended_from_ms");
  wanted.ended_before = moment(query, "ended_before_ms");
  wanted.min_plies = static_cast<std::int32_t>(query.number("min_plies", 0, kMostPlies, 0));
  wanted.max_plies = static_cast<std::int32_t>(query.number("max_plies", 0, kMostPlies, 0));
  wanted.min_rate = static_cast<std::int32_t>(query.number("min_rate", 0, 100'000, 0));
  wanted.position = position_of(query, "position");
  wanted.opening = text(query, "opening");
  if (!wanted.opening.empty() &&
      std::ranges::find(record::kOpeningNames, wanted.opening) == record::kOpeningNames.end()) {
    query.refuse("opening", fmt::format("one of {}", fmt::join(record::kOpeningNames, ", ")));
  }
  return wanted;
}

}  // namespace

std::optional<std::int64_t> position_of(Query& query, std::string_view key) {
  const std::string sfen = query.text(key);
  if (sfen.empty()) return std::nullopt;
  const auto position =
      shogi::Position::from_sfen(sfen == "startpos" ? shogi::Position::kStartSfen : std::string_view(sfen));
  if (position) return core::position_key(*position);
  query.refuse(key, "is no position: " + position.error().message);
  return std::nullopt;
}

core::GameQuery game_query(Query& query) {
  core::GameQuery wanted = set_of_games(query);
  wanted.side = one_of<shogi::Color>(query, "color", {{"black", shogi::BLACK}, {"white", shogi::WHITE}});
  wanted.won = one_of<bool>(query, "won", {{"yes", true}, {"no", false}});
  if (wanted.side && wanted.player.empty()) query.refuse("color", kOfPlayer);
  if (wanted.won && wanted.player.empty()) query.refuse("won", kOfPlayer);
  wanted.before = core::GameId{static_cast<std::uint64_t>(query.number("before", 1, INT64_MAX, 0))};
  wanted.limit = static_cast<std::size_t>(query.number("limit", 1, kMostGames, 50));
  return wanted;
}

core::CrossQuery cross_query(Query& query) {
  core::CrossQuery wanted{.games = set_of_games(query)};
  const auto usual = static_cast<std::int64_t>(wanted.players);
  wanted.players = static_cast<std::size_t>(query.number("players", 2, kMostCrossed, usual));
  return wanted;
}

core::PlayerQuery player_query(Query& query) {
  core::PlayerQuery wanted;
  wanted.name = text(query, "name");
  using enum core::PlayerQuery::Order;
  wanted.order = one_of<core::PlayerQuery::Order>(
                     query, "sort", {{"rate", rate}, {"games", games}, {"recent", recent}, {"name", name}})
                     .value_or(rate);
  wanted.limit = static_cast<std::size_t>(query.number("limit", 1, kMostPlayers, 100));
  wanted.offset = static_cast<std::size_t>(query.number("offset", 0, INT32_MAX, 0));
  return wanted;
}

core::BuoyQuery buoy_query(Query& query) {
  core::BuoyQuery wanted;
  wanted.after = text(query, "after");
  wanted.limit = static_cast<std::size_t>(query.number("limit", 1, kMostBuoys, 100));
  return wanted;
}

core::RoundQuery round_query(Query& query) {
  core::RoundQuery wanted;
  wanted.group = text(query, "group");
  wanted.before = core::Seq{static_cast<std::uint64_t>(query.number("before", 1, INT64_MAX, 0))};
  wanted.limit = static_cast<std::size_t>(query.number("limit", 1, kMostRounds, 20));
  return wanted;
}

}  // namespace fuhyo::net
