// The archive of a SQLite file.
#pragma once

#include <memory>
#include <utility>

#include "server/store/archive.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

class SqliteArchive : public Archive {
 public:
  static std::expected<std::unique_ptr<Archive>, std::string> open(const SqliteOptions& options);

  std::expected<std::vector<ArchivedGame>, std::string> games(std::string_view wanted, std::size_t limit) override;
  std::expected<std::vector<core::AdminActed>, std::string> audit(std::size_t limit) override;

 private:
  explicit SqliteArchive(Database db) : db_(std::move(db)) {}
  Database db_;
};

}  // namespace fuhyo::store
