#include "server/store/sqlite/older_rows.h"

#include <algorithm>

#include "server/store/sqlite/dump.h"
#include "server/store/sqlite/migrations.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<OlderRows>, std::string> OlderRows::make(std::size_t schema) {
  auto db = Database::open("", Database::Access::create, nullptr, 0);
  if (!db) return refuse(db.error());
  if (auto made = migrate(*db, sqlite_migrations().first(schema)); !made) return std::unexpected(made.error());
  std::unique_ptr<OlderRows> rows(new OlderRows(std::move(*db)));
  if (auto found = rows->find_tables(); !found) return refuse(found.error());
  auto inserts = RowInserts::prepare(rows->db_, rows->tables_);
  if (!inserts) return refuse(inserts.error());
  rows->inserts_ = std::move(*inserts);
  if (auto begun = rows->db_.run("BEGIN"); !begun) return refuse(begun.error());
  return rows;
}

SqliteResult<void> OlderRows::find_tables() {
  auto known = db_.prepare("SELECT name FROM pragma_table_info(?)");
  if (!known) return std::unexpected(std::move(known.error()));
  for (const Table& table : store::tables()) {
    std::vector<std::string> names;
    known->bind_text(1, table.name);
    for (;;) {
      const auto row = known->step();
      if (!row) return std::unexpected(row.error());
      if (!*row) break;
      names.emplace_back(known->bytes(0));
    }
    if (names.empty()) continue;
    auto& columns = columns_.emplace_back(table.columns.begin(), table.columns.end());
    std::erase_if(columns, [&](const Column& column) { return std::ranges::find(names, column.name) == names.end(); });
    tables_.push_back(table);
    tables_.back().columns = columns;  // whose buffer stays where it is
  }
  return {};
}

std::expected<std::unique_ptr<Dump>, std::string> OlderRows::bring_up() {
  inserts_.reset();
  if (auto done = db_.run("COMMIT"); !done) return refuse(done.error());
  if (auto done = migrate(db_, sqlite_migrations()); !done) return std::unexpected(done.error());
  return SqliteDump::of(std::move(db_));
}

}  // namespace fuhyo::store
