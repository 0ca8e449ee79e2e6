// The connection that writes, and what one commit does. The writer's thread.
//
// A commit that failed leaves its outcome in doubt: the connection is given up, and the next try reads back how far the
// journal goes before it writes anything. Rows seen there are announced only after the log was written again.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/sqlite.h"
#include "server/store/sqlite_options.h"

namespace fuhyo::store {

class SqliteWriter {
 public:
  // `on_commit` hears the size of the log in pages after each commit.
  SqliteWriter(const SqliteOptions& options, std::function<void(int wal_pages)> on_commit);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  // Creates or upgrades the file, takes the writer's lease from whoever had it, and reads what is unfinished.
  std::expected<void, std::string> start(core::Recovery& out, LiveGames& live);
  // All of the batch or nothing.
  std::expected<void, std::string> commit(const Batch& batch);
  // Another writer has taken the lease: no commit will ever succeed.
  bool fenced() const { return fenced_; }
  // Deletes one range of rows that nobody needs. True if there may be more. Failing is harmless.
  bool prune();

 private:
  struct Statements {
    Statement begin, commit, lease, fact, open, close, game, stand, fall, audit, used, mark;
  };
  // An error as SQLite tells it, or one of ours.
  using Result = SqliteResult<void>;

  Result connect(Database::Access access);
  Result configure();
  Result check_mode();
  Result prepare();
  Result take_lease();
  Result make_log_safe();
  Result check_lease();
  Result settle_doubt(const Batch& batch, bool& done);
  Result write(const Batch& batch);
  Result write_games(const Batch& batch);
  Result write_standing(const Batch& batch);
  Result write_audit(const Batch& batch);
  Result write_marks(const Batch& batch);
  SqliteResult<std::int64_t> prune_end(std::int64_t first);
  Result delete_below(std::int64_t end);
  void give_up();

  const SqliteOptions options_;
  const std::function<void(int)> on_commit_;
  std::optional<Database> db_;
  Statements sql_;
  std::int64_t epoch_ = 0;
  std::int64_t mark_us_ = 0;    // wall time of the newest mark
  std::int64_t newest_us_ = 0;  // wall time of the newest fact
  bool fenced_ = false;
  bool in_doubt_ = false;  // the last commit failed, and may have happened all the same
};

}  // namespace fuhyo::store
