// Fills an empty SQLite store. It holds the lock that a server would hold.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/options.h"
#include "server/store/sqlite/row_inserts.h"
#include "server/store/transfer/load.h"

namespace fuhyo::store {

class SqliteLoad : public Load {
 public:
  // Makes the file and its tables if need be. Refused: a store that is in use, or holds anything.
  static std::expected<std::unique_ptr<Load>, std::string> begin(const SqliteOptions& options);

  std::expected<void, std::string> add(const Table& table, const Row& row) override;
  std::expected<void, std::string> commit() override;

 private:
  SqliteLoad(FileLock lock, Database db) : lock_(std::move(lock)), db_(std::move(db)) {}

  FileLock lock_;
  Database db_;
  std::optional<RowInserts> inserts_;
};

}  // namespace fuhyo::store
