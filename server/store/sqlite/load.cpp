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

std::string insert_of(const Table& table) {
  std::string values, changes;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    values += fmt::format("{}?{}", i == 0 ? "" : ", ", i + 1);
    changes += fmt::format("{}{} = ?{}", i == 0 ? "" : ", ", table.columns[i].name, i + 1);
  }
  if (table.single) return fmt::format("UPDATE {} SET {}", table.name, changes);
  return fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, column_names(table), values);
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
  if (auto prepared = load->prepare(); !prepared) return refuse(prepared.error());
  return load;
}

SqliteResult<void> SqliteLoad::prepare() {
  for (const Table& table : tables()) {
    auto insert = db_.prepare(insert_of(table));
    if (!insert) return std::unexpected(std::move(insert.error()));
    inserts_.push_back(std::move(*insert));
  }
  return {};
}

std::expected<void, std::string> SqliteLoad::add(const Table& table, const Row& row) {
  Statement& insert = inserts_[static_cast<std::size_t>(&table - tables().data())];
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    switch (table.columns[i].type) {
      case CellType::integer:
      case CellType::flag:
        insert.bind(at, row[i].number);
        break;
      case CellType::real:
        insert.bind_real(at, row[i].real);
        break;
      case CellType::text:
        insert.bind_text(at, row[i].bytes);
        break;
      case CellType::bytes:
        insert.bind_bytes(at, row[i].bytes);
        break;
    }
  }
  return in_words(insert.run());
}

std::expected<void, std::string> SqliteLoad::commit() { return in_words(db_.run("COMMIT")); }

}  // namespace fuhyo::store
