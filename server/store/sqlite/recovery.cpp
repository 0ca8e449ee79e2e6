#include "server/store/sqlite/recovery.h"

#include <fmt/format.h>
#include <utility>

#include "server/store/read_games.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

// What every read of the three numbers shares.
std::expected<std::uint64_t, std::string> number(Database& db, std::string_view sql) {
  const auto found = db.integer(sql);
  if (!found) return refuse(found.error());
  return static_cast<std::uint64_t>(*found);
}

std::expected<void, std::string> recover_numbers(Database& db, core::Recovery& out) {
  const auto last = number(db, "SELECT coalesce(max(seq), 0) FROM journal");
  if (!last) return std::unexpected(last.error());
  const auto game = number(db, "SELECT last_game FROM used");
  if (!game) return std::unexpected(game.error());
  const auto stamp = number(db, "SELECT last_stamp FROM used");
  if (!stamp) return std::unexpected(stamp.error());
  out = core::Recovery{.last = core::Seq{*last}, .last_game = core::GameId{*game}, .last_stamp = *stamp, .live = {}};
  return {};
}

}  // namespace

std::expected<core::Journaled, std::string> read_fact(const Statement& row) {
  const std::int64_t seq = row.integer(0);
  auto fact = core::decode(static_cast<std::uint16_t>(row.integer(1)), static_cast<std::uint16_t>(row.integer(2)),
                           row.bytes(3));
  if (!fact) return std::unexpected(fmt::format("journal row {}: {}", seq, fact.error()));
  return core::Journaled{.seq = core::Seq{static_cast<std::uint64_t>(seq)}, .fact = std::move(*fact)};
}

namespace {

// The facts of a query of seq, kind, version and payload.
template <class Take>
std::expected<void, std::string> each_fact(Database& db, std::string_view sql, const Take& take) {
  auto rows = db.prepare(sql);
  if (!rows) return refuse(rows.error());
  for (;;) {
    const auto row = rows->step();
    if (!row) return refuse(row.error());
    if (!*row) return {};
    auto fact = read_fact(*rows);
    if (!fact) return std::unexpected(std::move(fact.error()));
    take(std::move(*fact));
  }
}

std::expected<void, std::string> recover_keyed_facts(Database& db, core::Recovery& out) {
  return each_fact(db, "SELECT seq, kind, version, payload FROM standing ORDER BY seq",
                   [&](core::Journaled fact) { out.keyed_facts.push_back(std::move(fact)); });
}

// By their ends, and not by their numbers: games that were moved over have higher ones than games played here before.
std::expected<void, std::string> recover_past(Database& db, core::Recovery& out) {
  auto rows = db.prepare(each_game_name() +
                         " SELECT csa_id, game_name, black_id, white_id, outcome FROM name JOIN game ON game IN ("
                         "SELECT game FROM game AS of_name WHERE game_name = name.n AND black_id <> ''"
                         " AND white_id <> '' AND outcome <> 'none' ORDER BY ended_us DESC, game DESC LIMIT ?1)"
                         " WHERE name.n GLOB 'floodgate-*' ORDER BY game_name, ended_us, game");
  if (!rows) return refuse(rows.error());
  rows->bind(1, static_cast<std::int64_t>(core::kPastGames));
  for (;;) {
    const auto row = rows->step();
    if (!row) return refuse(row.error());
    if (!*row) return {};
    out.past.push_back({.csa_id = std::string(rows->bytes(0)),
                        .game_name = std::string(rows->bytes(1)),
                        .black_id = std::string(rows->bytes(2)),
                        .white_id = std::string(rows->bytes(3)),
                        .outcome = outcome_of(rows->bytes(4))});
  }
}

}  // namespace

std::expected<void, std::string> recover(Database& db, core::Recovery& out, LiveGames& live) {
  if (auto numbers = recover_numbers(db, out); !numbers) return numbers;
  if (auto keyed_facts = recover_keyed_facts(db, out); !keyed_facts) return keyed_facts;
  if (auto past = recover_past(db, out); !past) return past;
  return each_fact(db,
                   "SELECT seq, kind, version, payload FROM journal"
                   " WHERE seq >= (SELECT min(first_seq) FROM live) AND game IN (SELECT game FROM live) ORDER BY seq",
                   [&](core::Journaled fact) {
                     live.take(fact.fact);
                     out.live.push_back(std::move(fact));
                   });
}

}  // namespace fuhyo::store
