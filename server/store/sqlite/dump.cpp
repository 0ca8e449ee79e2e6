#include "server/store/sqlite/dump.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "server/store/sqlite/migrations.h"

namespace fuhyo::store {
namespace {

// SQL cannot say text_before() otherwise.
int collate(void*, int size_a, const void* a, int size_b, const void* b) {
  const std::string_view left(static_cast<const char*>(a), static_cast<std::size_t>(size_a));
  const std::string_view right(static_cast<const char*>(b), static_cast<std::size_t>(size_b));
  if (left == right) return 0;
  return text_before(left, right) ? -1 : 1;
}

std::string order_of(const Table& table) {
  std::string order;
  for (const Column& column : table.columns.first(table.key)) {
    order += fmt::format("{}{}{}", order.empty() ? "" : ", ", column.name,
                         column.type == CellType::text ? " COLLATE fuhyo_text" : "");
  }
  return order;
}

}  // namespace

std::expected<Database, std::string> open_whole(const SqliteOptions& options) {
  std::error_code error;
  if (!std::filesystem::exists(options.file, error)) return std::unexpected("there is no such file");
  auto db = Database::open(options.file, Database::Access::read, options.vfs, options.busy_ms);
  if (!db) return refuse(db.error());
  const auto done = migrations_done(*db, sqlite_migrations());
  if (!done) return std::unexpected(done.error());
  if (*done == 0) return std::unexpected("holds nothing: no server has ever used it");
  if (*done < sqlite_migrations().size()) return std::unexpected("was made by an older program: bring it up first");
  return std::move(*db);
}

std::expected<std::unique_ptr<Dump>, std::string> SqliteDump::open(const SqliteOptions& options) {
  auto db = open_whole(options);
  if (!db) return std::unexpected(std::move(db.error()));
  return of(std::move(*db));
}

std::expected<std::unique_ptr<Dump>, std::string> SqliteDump::of(Database db) {
  const int made = sqlite3_create_collation_v2(db.handle(), "fuhyo_text", SQLITE_UTF8, nullptr, collate, nullptr);
  if (made != SQLITE_OK) return std::unexpected(sqlite3_errmsg(db.handle()));
  if (auto begun = db.run("BEGIN"); !begun) return refuse(begun.error());
  // The first read decides which moment it is.
  if (const auto first = db.integer("SELECT epoch FROM lease"); !first) return refuse(first.error());
  return std::unique_ptr<Dump>(new SqliteDump(std::move(db)));
}

std::expected<std::uint64_t, std::string> SqliteDump::count(const Table& table) {
  const auto count = db_.integer(fmt::format("SELECT count(*) FROM {}", table.name));
  if (!count) return refuse(count.error());
  return static_cast<std::uint64_t>(*count);
}

std::expected<void, std::string> SqliteDump::open(const Table& table) {
  auto rows =
      db_.prepare(fmt::format("SELECT {} FROM {} ORDER BY {}", column_names(table), table.name, order_of(table)));
  if (!rows) return refuse(rows.error());
  rows_ = std::move(*rows);
  table_ = &table;
  return {};
}

std::expected<bool, std::string> SqliteDump::next(Row& row) {
  const auto there = rows_->step();
  if (!there) return refuse(there.error());
  if (!*there) return false;
  row.resize(table_->columns.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int column = static_cast<int>(i);
    switch (table_->columns[i].type) {
      case CellType::integer:
      case CellType::flag:
        row[i].number = rows_->integer(column);
        break;
      case CellType::real:
        row[i].real = rows_->real(column);
        break;
      case CellType::text:
      case CellType::bytes:
        row[i].bytes = rows_->bytes(column);
        break;
    }
  }
  return true;
}

std::expected<std::vector<std::string>, std::string> SqliteDump::faults() {
  auto rows = db_.prepare("PRAGMA integrity_check");
  if (!rows) return refuse(rows.error());
  std::vector<std::string> faults;
  for (;;) {
    const auto row = rows->step();
    if (!row) return refuse(row.error());
    if (!*row) return faults;
    if (rows->bytes(0) != "ok") faults.emplace_back(rows->bytes(0));
  }
}

}  // namespace fuhyo::store
