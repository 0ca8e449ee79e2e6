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

  bool knows(const std::string& csa_id) const override { return known_.contains(csa_id); }
  std::expected<bool, std::string> add(FinishedGame& game) override;
  std::expected<void, std::string> commit() override;

 private:
  SqliteArchiveImport() = default;
  SqliteResult<void> open(const SqliteOptions& options, bool dry);
  SqliteResult<void> read_known(Database& db);
  SqliteResult<void> close_up();

  std::optional<Database> db_;  // none: dry
  std::optional<Statement> insert_, result_;
  std::unordered_set<std::string> known_;  // Game_IDs
  std::int64_t last_ = 0;                  // number of the newest game
  bool added_ = false;
};

}  // namespace fuhyo::store
