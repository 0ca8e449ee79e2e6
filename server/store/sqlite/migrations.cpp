#include "server/store/sqlite/migrations.h"

#include <cstdint>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "server/store/sqlite/log.h"

namespace fuhyo::store {
namespace {

// Kept in the file's header, so that a database of another program is not mistaken for ours: "FUHY".
constexpr std::int64_t kApplicationId = 0x46554859;

using Outcome = std::expected<void, std::string>;

// True: it is ours. False: it is empty.
std::expected<bool, std::string> is_ours(Database& db) {
  const auto id = db.integer("PRAGMA application_id");
  if (!id) return refuse(id.error());
  const auto tables = db.integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return refuse(tables.error());
  if (*id == kApplicationId) return true;
  if (*id != 0 || *tables != 0) return std::unexpected("is a SQLite database, but not one of this program");
  return false;
}

Outcome claim(Database& db) {
  const auto ours = is_ours(db);
  if (!ours) return std::unexpected(ours.error());
  if (*ours) return {};
  if (auto safe = rewrite_empty(db); !safe) return refuse(safe.error());
  const auto made = db.run(fmt::format("BEGIN IMMEDIATE;"
                                       "PRAGMA application_id = {};"
                                       "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
                                       " checksum TEXT NOT NULL) STRICT;"
                                       "COMMIT",
                                       kApplicationId)
                               .c_str());
  if (!made) db.roll_back();
  return in_words(made);
}

std::expected<std::vector<AppliedMigration>, std::string> applied_migrations(Database& db) {
  auto rows = db.prepare("SELECT number, name, checksum FROM migration ORDER BY number");
  if (!rows) return refuse(rows.error());
  std::vector<AppliedMigration> all;
  for (;;) {
    const auto row = rows->step();
    if (!row) return refuse(row.error());
    if (!*row) return all;
    all.push_back({rows->integer(0), std::string(rows->bytes(1)), std::string(rows->bytes(2))});
  }
}

Outcome apply(Database& db, std::size_t number, const Migration& migration) {
  const auto attempt = [&]() -> SqliteResult<void> {
    if (auto begun = db.run("BEGIN IMMEDIATE"); !begun) return begun;
    if (auto ran = db.run(std::string(migration.sql).c_str()); !ran) return ran;
    auto note = db.prepare("INSERT INTO migration VALUES (?, ?, ?)");
    if (!note) return std::unexpected(note.error());
    const std::string sum = checksum(migration.sql);
    note->bind(1, static_cast<std::int64_t>(number)).bind_text(2, migration.name).bind_text(3, sum);
    if (auto noted = note->run(); !noted) return noted;
    return db.run("COMMIT");
  };
  const auto done = attempt();
  if (done) return {};
  db.roll_back();
  return std::unexpected(fmt::format("migration {} failed: {}", migration.name, done.error().message));
}

}  // namespace

std::expected<std::size_t, std::string> migrations_done(Database& db, std::span<const Migration> migrations) {
  const auto ours = is_ours(db);
  if (!ours) return std::unexpected(ours.error());
  if (!*ours) return 0;
  const auto applied = applied_migrations(db);
  if (!applied) return std::unexpected(applied.error());
  return check_applied(*applied, migrations);
}

std::expected<std::size_t, std::string> migrate(Database& db, std::span<const Migration> migrations) {
  if (auto claimed = claim(db); !claimed) return std::unexpected(claimed.error());
  const auto done = migrations_done(db, migrations);
  if (!done) return done;
  for (std::size_t i = *done; i < migrations.size(); ++i) {
    if (auto applied = apply(db, i + 1, migrations[i]); !applied) return std::unexpected(applied.error());
  }
  return migrations.size() - *done;
}

}  // namespace fuhyo::store
