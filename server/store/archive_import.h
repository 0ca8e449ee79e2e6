// Adds finished games of elsewhere to the archive of a journal that nobody writes at the moment. One thread.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "server/store/batch.h"
#include "server/store/sqlite.h"
#include "server/store/sqlite_options.h"

namespace fuhyo::store {

// One transaction: all of them after commit(), or none. The caller holds the journal's lock.
class ArchiveImport {
 public:
  // `dry`: only counts, and the file may not exist yet.
  static std::expected<ArchiveImport, std::string> begin(const SqliteOptions& options, bool dry);

  bool knows(const std::string& csa_id) const { return known_.contains(csa_id); }
  // With the next free number. False: its Game_ID is there already.
  std::expected<bool, std::string> add(FinishedGame& game);
  // The history of ratings, which lacks the new games, is forgotten.
  std::expected<void, std::string> commit();

 private:
  ArchiveImport() = default;
  SqliteResult<void> open(const SqliteOptions& options, bool dry);
  SqliteResult<void> read_known(Database& db);
  SqliteResult<void> close_up();

  std::optional<Database> db_;  // none: dry
  std::optional<Statement> insert_;
  std::unordered_set<std::string> known_;  // Game_IDs
  std::int64_t last_ = 0;                  // number of the newest game
  bool added_ = false;
};

}  // namespace fuhyo::store
