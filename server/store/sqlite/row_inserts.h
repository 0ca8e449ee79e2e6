// Rows of an export into the tables of a SQLite database. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "server/store/sqlite/database.h"
#include "server/store/transfer/row.h"

namespace fuhyo::store {

class RowInserts {
 public:
  // `tables` outlives this object; the database has them.
  static SqliteResult<RowInserts> prepare(Database& db, std::span<const Table> tables);

  SqliteResult<void> add(std::size_t table, const Row& row);  // by its place in `tables`

 private:
  explicit RowInserts(std::span<const Table> tables) : tables_(tables) {}

  std::span<const Table> tables_;
  std::vector<Statement> inserts_;
};

}  // namespace fuhyo::store
