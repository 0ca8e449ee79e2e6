// Reads the journal of a SQLite file over a read-only connection of its own, while the writer goes on.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/store/journal_reader.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

class SqliteReader : public JournalReader {
 public:
  static std::expected<std::unique_ptr<SqliteReader>, std::string> open(const SqliteOptions& options);

  std::expected<std::vector<core::Journaled>, std::string> read_after(core::Seq after, std::size_t limit) override;
  std::expected<bool, std::string> wait_after(core::Seq after, std::chrono::milliseconds longest) override;

 private:
  SqliteReader(Database db, Statement rows) : db_(std::move(db)), rows_(std::move(rows)) {}

  std::mutex mutex_;  // any thread may read, one at a time
  Database db_;
  Statement rows_;
};

}  // namespace fuhyo::store
