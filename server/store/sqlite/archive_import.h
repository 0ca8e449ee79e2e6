// Games of elsewhere into a SQLite file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "server/store/archive_import.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

class SqliteArchiveImport : public ArchiveImport {
 public:
  static std::expected<std::unique_ptr<ArchiveImport>, std::string> begin(const SqliteOptions& options, bool dry);

  std::expected<bool, std::string> add(FinishedGame& game) override;
  std::expected<void, std::string> commit() override;

 private:
  explicit SqliteArchiveImport(bool dry) : dry_(dry) {}
  SqliteResult<void> open(const SqliteOptions& options);
  SqliteResult<bool> has(const std::string& csa_id);
  SqliteResult<void> close_up();

  const bool dry_;
  std::optional<Database> db_;  // none: there is no file
  Statement has_, insert_, result_;
  std::unordered_set<std::string> added_;  // Game_IDs
  std::int64_t last_ = 0;                  // number of the newest game
};

}  // namespace fuhyo::store
