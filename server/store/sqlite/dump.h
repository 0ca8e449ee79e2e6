// A SQLite file as a dump: one read transaction on a connection of its own. Commits do not wait for it, but the log
// cannot begin anew before its end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/options.h"
#include "server/store/transfer/dump.h"

namespace fuhyo::store {

class SqliteDump : public Dump {
 public:
  // Refused: a file that is not there, not ours, or of another schema than this program's.
  static std::expected<std::unique_ptr<Dump>, std::string> open(const SqliteOptions& options);
  // Of a database with today's tables.
  static std::expected<std::unique_ptr<Dump>, std::string> of(Database db);

  std::expected<std::uint64_t, std::string> count(const Table& table) override;
  std::expected<void, std::string> open(const Table& table) override;
  std::expected<bool, std::string> next(Row& row) override;
  std::expected<std::vector<std::string>, std::string> faults() override;

 private:
  explicit SqliteDump(Database db) : db_(std::move(db)) {}

  Database db_;
  const Table* table_ = nullptr;
  std::optional<Statement> rows_;  // of `table_`; goes before the connection
};

// A connection that reads, after what is refused has been refused.
std::expected<Database, std::string> open_whole(const SqliteOptions& options);

}  // namespace fuhyo::store
