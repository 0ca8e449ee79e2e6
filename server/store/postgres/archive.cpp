#include "server/store/postgres/archive.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engines/shogi/number.h"
#include "server/store/postgres/session.h"
#include "server/store/read_games.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

// First which ones, by indexes alone: rows are long.
const std::string kWantedGames =
    each_game_name() +
    " SELECT game, csa_id, room, game_name, black_name, black_id, white_name, white_id, opened_us, opened_local,"
    " outcome, end_kind, plies FROM game WHERE game IN (SELECT game FROM ("
    "SELECT named.game FROM name JOIN game AS named ON named.game_name = name.n WHERE name.n LIKE $1::text"
    " UNION ALL SELECT game FROM game WHERE csa_id = $2::text UNION ALL SELECT game FROM game WHERE game = $3::bigint"
    ") AS wanted ORDER BY game DESC LIMIT $4::bigint) ORDER BY game DESC";
const PgStatement kGames{"games", kWantedGames.c_str()};
constexpr PgStatement kAudit{"audit_rows",
                             "SELECT at_us, local_time, who, via, act, why, outcome FROM audit ORDER BY seq DESC"
                             " LIMIT $1::bigint"};

// * stands for any characters, and nothing else does.
std::string like(std::string_view wanted) {
  std::string pattern;
  for (const char c : wanted) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c == '*' ? '%' : c;
  }
  return pattern;
}

std::int64_t number(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

ArchivedGame game_of(const PgRows& rows, int row) {
  ArchivedGame game;
  game.opened.game = core::GameId{static_cast<std::uint64_t>(rows.integer(row, 0))};
  game.opened.csa_id = rows.text(row, 1);
  game.opened.room = rows.text(row, 2);
  game.opened.game_name = rows.text(row, 3);
  game.opened.black = {.name = rows.text(row, 4), .id = rows.text(row, 5)};
  game.opened.white = {.name = rows.text(row, 6), .id = rows.text(row, 7)};
  game.opened.at = core::Wall{rows.integer(row, 8)};
  game.opened.local_time = rows.text(row, 9);
  game.outcome = outcome_of(rows.bytes(row, 10));
  game.end_kind = rows.text(row, 11);
  game.plies = static_cast<std::int32_t>(rows.integer(row, 12));
  return game;
}

}  // namespace

std::expected<std::unique_ptr<Archive>, std::string> PostgresArchive::open(const PostgresAddress& address,
                                                                           const PostgresOptions& options) {
  std::unique_ptr<PostgresArchive> archive(new PostgresArchive());
  auto connection = open_session(address, options, "fuhyo archive", PgUse::reads, archive->patience_);
  if (!connection) return refuse(connection.error());
  archive->connection_ = std::move(*connection);
  return archive;
}

std::expected<std::vector<ArchivedGame>, std::string> PostgresArchive::games(std::string_view wanted,
                                                                             std::size_t limit) {
  PgParams params;
  params.add_text(like(wanted)).add_text(wanted).add(shogi::number_of<std::int64_t>(wanted).value_or(0));
  params.add(number(limit));
  auto rows = connection_->run(kGames, std::move(params));
  if (!rows) return refuse(rows.error());
  std::vector<ArchivedGame> games;
  for (int row = rows->size(); row-- > 0;) games.push_back(game_of(*rows, row));
  return games;
}

std::expected<std::vector<core::AdminActed>, std::string> PostgresArchive::audit(std::size_t limit) {
  PgParams params;
  params.add(number(limit));
  auto rows = connection_->run(kAudit, std::move(params));
  if (!rows) return refuse(rows.error());
  std::vector<core::AdminActed> acts;
  for (int row = rows->size(); row-- > 0;) {
    acts.push_back({.who = rows->text(row, 2),
                    .via = rows->text(row, 3),
                    .act = std::string(rows->bytes(row, 4)),
                    .why = std::string(rows->bytes(row, 5)),
                    .outcome = std::string(rows->bytes(row, 6)),
                    .at = core::Wall{rows->integer(row, 0)},
                    .local_time = rows->text(row, 1)});
  }
  return acts;
}

}  // namespace fuhyo::store
