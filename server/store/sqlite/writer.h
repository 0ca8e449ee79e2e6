// The connection that writes, and what one commit does. The writer's thread.
//
// A commit that failed leaves its outcome in doubt: the connection is given up, and the next try reads back how far the
// journal goes before it writes anything. Rows seen there are announced only after the log was written again.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/journal_writer.h"
#include "server/store/sqlite/checkpointer.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

class SqliteWriter : public JournalWriter {
 public:
  // `lock`: of the file, held as long as this object lives.
  SqliteWriter(const SqliteOptions& options, std::shared_ptr<const FileLock> lock);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  std::expected<void, std::string> start(core::Recovery& out, LiveGames& live) override;
  std::expected<void, std::string> commit(const Batch& batch) override;
  bool fenced() const override { return fenced_; }
  bool prune() override;
  std::vector<Counter> counters() const override;

 private:
  struct Statements {
    Statement begin, commit, lease, fact, open, close, game, result, set_keyed, delete_keyed, delete_prefix, audit,
        round, used, mark;
  };
  // An error as SQLite tells it, or one of ours.
  using Result = SqliteResult<void>;

  Result connect(Database::Access access);
  Result configure();
  Result check_mode();
  Result prepare();
  Result take_lease();
  Result check_lease();
  Result settle_doubt(const Batch& batch, bool& done);
  Result write(const Batch& batch);
  Result write_games(const Batch& batch);
  Result write_keyed_facts(const Batch& batch);
  Result write_audit(const Batch& batch);
  Result write_rounds(const Batch& batch);
  Result write_marks(const Batch& batch);
  SqliteResult<std::int64_t> prune_end(std::int64_t first);
  Result delete_below(std::int64_t end);
  void give_up();

  const SqliteOptions options_;
  const std::shared_ptr<const FileLock> lock_;
  SqliteCheckpointer checkpointer_;  // its connection is closed after the one below
  std::atomic<int> wal_pages_{0};
  std::optional<Database> db_;
  Statements sql_;
  std::int64_t epoch_ = 0;
  std::int64_t mark_us_ = 0;    // wall time of the newest mark
  std::int64_t newest_us_ = 0;  // wall time of the newest fact
  bool fenced_ = false;
  bool in_doubt_ = false;  // the last commit failed, and may have happened all the same
};

}  // namespace fuhyo::store
