#include "server/store/sqlite/archive.h"

#include <algorithm>
#include <utility>

#include "engines/shogi/number.h"
#include "server/store/read_games.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

ArchivedGame archived_game(const Statement& row) {
  const auto text = [&](int column) { return std::string(row.bytes(column)); };
  ArchivedGame game;
  game.opened.game = core::GameId{static_cast<std::uint64_t>(row.integer(0))};
  game.opened.csa_id = text(1);
  game.opened.room = text(2);
  game.opened.game_name = text(3);
  game.opened.black = {.name = text(4), .id = text(5)};
  game.opened.white = {.name = text(6), .id = text(7)};
  game.opened.at = core::Wall{row.integer(8)};
  game.opened.local_time = text(9);
  game.outcome = outcome_of(row.bytes(10));
  game.end_kind = text(11);
  game.plies = static_cast<std::int32_t>(row.integer(12));
  return game;
}

// * stands for any characters, and nothing else does.
std::string glob(std::string_view wanted) {
  std::string pattern;
  for (const char c : wanted) {
    if (c == '?' || c == '[')
      pattern += {'[', c, ']'};
    else
      pattern += c;
  }
  return pattern;
}

// `row` makes one of each row of the statement.
template <class Value, class Make>
std::expected<std::vector<Value>, std::string> all(Statement& rows, Make make) {
  std::vector<Value> values;
  for (;;) {
    const auto row = rows.step();
    if (!row) return refuse(row.error());
    if (!*row) break;
    values.push_back(make(rows));
  }
  std::ranges::reverse(values);
  return values;
}

}  // namespace

std::expected<std::unique_ptr<Archive>, std::string> SqliteArchive::open(const SqliteOptions& options) {
  auto db = Database::open(options.file, Database::Access::read, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  return std::unique_ptr<Archive>(new SqliteArchive(std::move(*db)));
}

std::expected<std::vector<ArchivedGame>, std::string> SqliteArchive::games(std::string_view wanted, std::size_t limit) {
  // First which ones, by indexes alone: rows are long.
  auto rows = db_.prepare(
      each_game_name() +
      " SELECT game, csa_id, room, game_name, black_name, black_id, white_name, white_id, opened_us, opened_local,"
      " outcome, end_kind, plies FROM game WHERE game IN (SELECT game FROM ("
      "SELECT named.game FROM name JOIN game AS named ON named.game_name = name.n WHERE name.n GLOB ?1"
      " UNION ALL SELECT game FROM game WHERE csa_id = ?2 UNION ALL SELECT game FROM game WHERE game = ?3)"
      " ORDER BY game DESC LIMIT ?4) ORDER BY game DESC");
  if (!rows) return refuse(rows.error());
  const std::string pattern = glob(wanted);
  rows->bind_text(1, pattern).bind_text(2, wanted).bind(3, shogi::number_of<std::int64_t>(wanted).value_or(0));
  rows->bind(4, static_cast<std::int64_t>(limit));
  return all<ArchivedGame>(*rows, archived_game);
}

std::expected<std::vector<core::AdminActed>, std::string> SqliteArchive::audit(std::size_t limit) {
  auto rows = db_.prepare("SELECT at_us, local_time, who, via, act, why, outcome FROM audit ORDER BY seq DESC LIMIT ?");
  if (!rows) return refuse(rows.error());
  rows->bind(1, static_cast<std::int64_t>(limit));
  return all<core::AdminActed>(*rows, [](const Statement& row) {
    const auto text = [&](int column) { return std::string(row.bytes(column)); };
    return core::AdminActed{.who = text(2),
                            .via = text(3),
                            .act = text(4),
                            .why = text(5),
                            .outcome = text(6),
                            .at = core::Wall{row.integer(0)},
                            .local_time = text(1)};
  });
}

}  // namespace fuhyo::store
