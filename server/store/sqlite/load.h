// Fills an empty SQLite store. It holds the lock that a server would hold.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/options.h"
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
  SqliteResult<void> prepare();

  FileLock lock_;
  Database db_;
  std::vector<Statement> inserts_;  // by place in tables()
};

}  // namespace fuhyo::store
