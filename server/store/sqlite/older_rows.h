// The rows of an export of an older schema, on their way to today's tables: in a database of their own, which the
// migrations bring up as they do a store of that age. Its file has no name, lies where the system keeps such files
// (TMPDIR), and is gone with this object. One thread.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/row_inserts.h"
#include "server/store/transfer/dump.h"

namespace fuhyo::store {

class OlderRows {
 public:
  // Empty tables, as the first `schema` migrations make them.
  static std::expected<std::unique_ptr<OlderRows>, std::string> make(std::size_t schema);

  // As they were then: of tables() those that were there, with the columns that they had.
  std::span<const Table> tables() const { return tables_; }
  SqliteResult<void> add(std::size_t table, const Row& row) { return inserts_->add(table, row); }  // by its place
  // All rows, in today's tables. The last use of this object.
  std::expected<std::unique_ptr<Dump>, std::string> bring_up();

 private:
  explicit OlderRows(Database db) : db_(std::move(db)) {}
  SqliteResult<void> find_tables();

  Database db_;
  std::vector<std::vector<Column>> columns_;
  std::vector<Table> tables_;
  std::optional<RowInserts> inserts_;
};

}  // namespace fuhyo::store
