#include "server/store/sqlite/row_inserts.h"

#include <fmt/format.h>
#include <utility>

namespace fuhyo::store {
namespace {

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

SqliteResult<RowInserts> RowInserts::prepare(Database& db, std::span<const Table> tables) {
  RowInserts rows(tables);
  for (const Table& table : tables) {
    auto insert = db.prepare(insert_of(table));
    if (!insert) return std::unexpected(std::move(insert.error()));
    rows.inserts_.push_back(std::move(*insert));
  }
  return rows;
}

SqliteResult<void> RowInserts::add(std::size_t table, const Row& row) {
  Statement& insert = inserts_[table];
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    switch (tables_[table].columns[i].type) {
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
  return insert.run();
}

}  // namespace fuhyo::store
