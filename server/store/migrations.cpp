#include "server/store/migrations.h"

#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include "server/store/sqlite.h"

namespace fuhyo::store {
namespace {

// Kept in the file's header, so that a database of another program is not mistaken for ours: "FUHY".
constexpr std::int64_t kApplicationId = 0x46554859;

using Outcome = std::expected<void, std::string>;

std::unexpected<std::string> refuse(const SqliteError& error) {
  return std::unexpected(fmt::format("{} (SQLite {})", error.message, error.code));
}

// FNV-1a: against mistakes, not against malice.
std::string checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

Outcome claim(Database& db) {
  const auto id = db.integer("PRAGMA application_id");
  if (!id) return refuse(id.error());
  const auto tables = db.integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return refuse(tables.error());
  if (*id == kApplicationId) return {};
  if (*id != 0 || *tables != 0) return std::unexpected("is a SQLite database, but not one of this program");
  const auto made = db.run(fmt::format("BEGIN IMMEDIATE;"
                                       "PRAGMA application_id = {};"
                                       "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
                                       " checksum TEXT NOT NULL) STRICT;"
                                       "COMMIT",
                                       kApplicationId)
                               .c_str());
  if (!made) db.roll_back();
  return made ? Outcome{} : refuse(made.error());
}

// How many migrations the database has been through, each the same as ours.
std::expected<std::size_t, std::string> check_applied(Database& db, std::span<const Migration> migrations) {
  auto rows = db.prepare("SELECT number, name, checksum FROM migration ORDER BY number");
  if (!rows) return refuse(rows.error());
  std::size_t applied = 0;
  for (;;) {
    const auto row = rows->step();
    if (!row) return refuse(row.error());
    if (!*row) return applied;
    const std::string name(rows->bytes(1));
    if (applied == migrations.size()) {
      return std::unexpected(fmt::format("was written by a newer program: it has migration {}, this program knows {}",
                                         name, migrations.empty() ? "none" : migrations.back().name));
    }
    const Migration& ours = migrations[applied++];
    if (rows->integer(0) != static_cast<std::int64_t>(applied) || name != ours.name ||
        rows->bytes(2) != checksum(ours.sql)) {
      return std::unexpected(fmt::format("has migration {}, which differs from this program's {}", name, ours.name));
    }
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

std::expected<void, std::string> migrate(Database& db, std::span<const Migration> migrations) {
  if (auto claimed = claim(db); !claimed) return claimed;
  const auto applied = check_applied(db, migrations);
  if (!applied) return std::unexpected(applied.error());
  for (std::size_t i = *applied; i < migrations.size(); ++i) {
    if (auto done = apply(db, i + 1, migrations[i]); !done) return done;
  }
  return {};
}

}  // namespace fuhyo::store
