#include "server/store/sqlite/load.h"

#include <fmt/format.h>

#include "server/store/sqlite/migrations.h"

namespace fuhyo::store {
namespace {

std::expected<void, std::string> check_empty(Database& db) {
  for (const Table& table : tables()) {
    const std::string_view what = table.single ? "last_game + last_stamp" : "1";
    const auto rows = db.integer(fmt::format("SELECT count(*) FROM {} WHERE {} <> 0", table.name, what));
    if (!rows) return refuse(rows.error());
    if (*rows != 0) return std::unexpected(fmt::format("is not empty: its table {} has rows", table.name));
  }
  return {};
}

}  // namespace

std::expected<std::unique_ptr<Load>, std::string> SqliteLoad::begin(const SqliteOptions& options) {
  auto lock = FileLock::take(options.file + "-lock");
  if (!lock) return std::unexpected(std::move(lock.error()));
  auto db = Database::open(options.file, Database::Access::create, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  if (auto safe = db->run("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL"); !safe) return refuse(safe.error());
  if (auto migrated = migrate(*db, sqlite_migrations()); !migrated) return std::unexpected(migrated.error());
  std::unique_ptr<SqliteLoad> load(new SqliteLoad(std::move(*lock), std::move(*db)));
  if (auto begun = load->db_.run("BEGIN IMMEDIATE"); !begun) return refuse(begun.error());
  if (auto empty = check_empty(load->db_); !empty) return std::unexpected(empty.error());
  auto inserts = RowInserts::prepare(load->db_, tables());
  if (!inserts) return refuse(inserts.error());
  load->inserts_ = std::move(*inserts);
  return load;
}

std::expected<void, std::string> SqliteLoad::add(const Table& table, const Row& row) {
  return in_words(inserts_->add(static_cast<std::size_t>(&table - tables().data()), row));
}

std::expected<void, std::string> SqliteLoad::commit() { return in_words(db_.run("COMMIT")); }

}  // namespace fuhyo::store
