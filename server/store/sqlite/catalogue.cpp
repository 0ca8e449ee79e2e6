#include "server/store/sqlite/catalogue.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/position_key.h"
#include "server/store/catalogue/sql_catalogue.h"
#include "server/store/read_games.h"
#include "server/store/sqlite/database.h"

namespace fuhyo::store {
namespace {

using Clock = std::chrono::steady_clock;

// A query that scans the whole archive must not keep all others waiting.
constexpr std::chrono::seconds kLongest(5);
constexpr int kStepsBetweenLooks = 10'000;  // of SQLite's machine: some hundred microseconds

class SqliteQueryConnection final : public QueryConnection {
 public:
  explicit SqliteQueryConnection(Database db) : db_(std::move(db)) {
    sqlite3_progress_handler(
        db_.handle(), kStepsBetweenLooks,
        [](void* self) { return Clock::now() > static_cast<SqliteQueryConnection*>(self)->until_ ? 1 : 0; }, this);
  }

  Dialect dialect() const override { return Dialect::sqlite; }
  core::Catalogue::Answer<std::vector<SqlRow>> run(const SqlQuery& query) override {
    until_ = Clock::now() + kLongest;
    auto rows = rows_of(query);
    if (rows) return std::move(*rows);
    if (rows.error().code == SQLITE_INTERRUPT) return too_long();
    return std::unexpected(core::Catalogue::Fault{in_words(rows.error())});
  }

 private:
  SqliteResult<std::vector<SqlRow>> rows_of(const SqlQuery& query) {
    auto statement = db_.prepare(query.sql());
    if (!statement) return std::unexpected(statement.error());
    int index = 0;
    for (const SqlValue& value : query.values()) bind(*statement, ++index, value);
    std::vector<SqlRow> rows;
    for (;;) {
      const auto there = statement->step();
      if (!there) return std::unexpected(there.error());
      if (!*there) return rows;
      rows.push_back(row_of(*statement));
    }
  }
  static void bind(Statement& statement, int index, const SqlValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) statement.bind(index, *number);
    if (const auto* number = std::get_if<double>(&value)) statement.bind_real(index, *number);
    if (const auto* text = std::get_if<std::string>(&value)) statement.bind_text(index, *text);
  }
  static SqlRow row_of(const Statement& statement) {
    SqlRow row;
    for (int column = 0; column < statement.columns(); ++column) {
      switch (statement.type(column)) {
        case SQLITE_INTEGER:
          row.emplace_back(statement.integer(column));
          break;
        case SQLITE_FLOAT:
          row.emplace_back(statement.real(column));
          break;
        default:
          row.emplace_back(std::string(statement.bytes(column)));
      }
    }
    return row;
  }

  Database db_;
  Clock::time_point until_{};
};

std::string positions_file(const SqliteOptions& options) { return options.file + "-positions"; }

// Grows with every change of the tables below, of what counts as a position and of the rules of openings: a file of
// another version is made anew.
constexpr std::int64_t kPositionsVersion = 1;

constexpr const char* kMakePositions =
    "DROP TABLE IF EXISTS occurrence;"
    "DROP TABLE IF EXISTS placed;"
    "CREATE TABLE occurrence ("
    "  key  INTEGER NOT NULL,"  // of board, hands and the side to move
    "  game INTEGER NOT NULL,"
    "  move TEXT    NOT NULL,"  // what was played there, USI; empty: nothing
    "  PRIMARY KEY (key, game)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE placed ("
    "  game    INTEGER PRIMARY KEY,"
    "  csa_id  TEXT NOT NULL,"
    "  opening TEXT NOT NULL"  // empty: none that has a name
    ") STRICT;"
    "CREATE INDEX placed_opening ON placed (opening)";

// Whichever node comes first makes it.
SqliteResult<void> make_positions(Database& db) {
  // Readers go on while a portion is being written, and so does the journal, which has a file of its own.
  if (auto log = db.run("PRAGMA journal_mode = WAL"); !log) return log;
  if (auto begun = db.run("BEGIN IMMEDIATE"); !begun) return begun;
  const auto version = db.integer("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version != kPositionsVersion) {
    if (auto made = db.run(kMakePositions); !made) return made;
    if (auto named = db.run(fmt::format("PRAGMA user_version = {}", kPositionsVersion).c_str()); !named) return named;
  }
  return db.run("COMMIT");
}

SqliteResult<void> attach_positions(Database& db, const SqliteOptions& options) {
  const std::string file = positions_file(options);
  auto positions = Database::open(file, Database::Access::create, options.vfs, options.busy_ms);
  if (!positions) return std::unexpected(positions.error());
  if (auto made = make_positions(*positions); !made) return made;
  auto attach = db.prepare("ATTACH ?1 AS positions");
  if (!attach) return std::unexpected(attach.error());
  return attach->bind_text(1, file).run();
}

// A database that was put in the place of another one (a backup) has other games under the same numbers.
SqliteResult<void> forget_other_games(Database& db) {
  const auto others = db.integer(
      "SELECT count(*) FROM (SELECT game, csa_id FROM placed ORDER BY game DESC LIMIT 1) AS newest"
      " LEFT JOIN game ON game.game = newest.game WHERE game.csa_id IS NOT newest.csa_id");
  if (!others) return std::unexpected(others.error());
  if (*others == 0) return {};
  return db.run("BEGIN; DELETE FROM occurrence; DELETE FROM placed; COMMIT");
}

class SqlitePositionIndex final : public PositionIndex {
 public:
  explicit SqlitePositionIndex(Database db) : db_(std::move(db)) {}
  std::expected<std::size_t, std::string> take_in(std::size_t most) override {
    auto taken = take(most);
    if (!taken) db_.roll_back();
    return in_words(std::move(taken));
  }

 private:
  struct Found {
    std::int64_t game;
    std::string csa_id;
    std::string_view opening;
    std::vector<core::Occurrence> positions;
  };

  SqliteResult<std::size_t> take(std::size_t most) {
    const auto oldest_live = db_.integer(kOldestLiveGame);
    if (!oldest_live) return std::unexpected(oldest_live.error());
    const auto found = find(most);
    if (!found) return std::unexpected(found.error());
    if (auto put_in = put(*found); !put_in) return std::unexpected(put_in.error());
    const std::int64_t last = found->empty() ? upto_ : found->back().game;
    upto_ = found->size() < most ? *oldest_live - 1 : std::min(*oldest_live - 1, last);
    return found->size();
  }
  SqliteResult<std::vector<Found>> find(std::size_t most) {
    auto rows = db_.prepare(
        "SELECT game, csa_id, start_sfen, moves FROM game AS g WHERE game > ?1 AND room <> 'demo'"
        " AND NOT EXISTS (SELECT 1 FROM placed WHERE placed.game = g.game) ORDER BY game LIMIT ?2");
    if (!rows) return std::unexpected(rows.error());
    rows->bind(1, upto_).bind(2, static_cast<std::int64_t>(most));
    std::vector<Found> found;
    for (;;) {
      const auto there = rows->step();
      if (!there) return std::unexpected(there.error());
      if (!*there) return found;
      const std::string start_sfen(rows->bytes(2)), moves(rows->bytes(3));
      found.push_back({.game = rows->integer(0),
                       .csa_id = std::string(rows->bytes(1)),
                       .opening = core::opening_of(start_sfen, moves),
                       .positions = core::occurrences(start_sfen, moves)});
    }
  }
  SqliteResult<void> put(const std::vector<Found>& found) {
    if (found.empty()) return {};
    if (auto begun = db_.run("BEGIN"); !begun) return begun;  // takes the lock of that file alone
    auto insert = db_.prepare("INSERT INTO occurrence VALUES (?1, ?2, ?3)");
    if (!insert) return std::unexpected(insert.error());
    auto placed = db_.prepare("INSERT INTO placed VALUES (?1, ?2, ?3)");
    if (!placed) return std::unexpected(placed.error());
    for (const auto& [game, csa_id, opening, positions] : found) {
      for (const core::Occurrence& position : positions) {
        insert->bind(1, position.key).bind(2, game).bind_text(3, position.move);
        if (auto added = insert->run(); !added) return added;
      }
      placed->bind(1, game).bind_text(2, csa_id).bind_text(3, opening);
      if (auto done = placed->run(); !done) return done;
    }
    return db_.run("COMMIT");
  }

  Database db_;
  std::int64_t upto_ = 0;  // every game up to here is over and was taken in
};

}  // namespace

std::expected<std::unique_ptr<core::Catalogue>, std::string> open_sqlite_catalogue(const SqliteOptions& options) {
  auto db = Database::open(options.file, Database::Access::read, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  if (auto attached = attach_positions(*db, options); !attached) return refuse(attached.error());
  return std::make_unique<SqlCatalogue>(std::make_unique<SqliteQueryConnection>(std::move(*db)));
}

std::expected<std::unique_ptr<PositionIndex>, std::string> open_sqlite_positions(const SqliteOptions& options) {
  auto db = Database::open(options.file, Database::Access::write, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  if (auto attached = attach_positions(*db, options); !attached) return refuse(attached.error());
  if (auto safe = db->run("PRAGMA positions.synchronous = FULL"); !safe) return refuse(safe.error());
  if (auto ours = forget_other_games(*db); !ours) return refuse(ours.error());
  return std::make_unique<SqlitePositionIndex>(std::move(*db));
}

}  // namespace fuhyo::store
