#include "server/store/sqlite_checkpointer.h"

#include <utility>

namespace fuhyo::store {

SqliteCheckpointer::SqliteCheckpointer(const SqliteOptions& options) : options_(options), thread_([this] { run(); }) {}

SqliteCheckpointer::~SqliteCheckpointer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void SqliteCheckpointer::log_has(int pages) {
  bool due = false;
  {
    const std::lock_guard lock(mutex_);
    pages_ = pages;
    if (pages_ < behind_) behind_ = 0;  // the log has begun anew
    due = pages_ - behind_ >= options_.checkpoint_pages;
  }
  if (due) wake_.notify_one();
}

bool SqliteCheckpointer::wait_for_work() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return stop_ || pages_ - behind_ >= options_.checkpoint_pages; });
  behind_ = pages_;
  return !stop_;
}

void SqliteCheckpointer::run() {
  while (wait_for_work()) checkpoint();
}

// A failure is left to the next time: nothing is lost by a longer log, and a disk that fails shows in the commits.
void SqliteCheckpointer::checkpoint() {
  if (!db_) {
    auto db = Database::open(options_.file, Database::Access::write, options_.vfs, options_.busy_ms);
    // The same care as the writer's: the database is synced before the log may begin anew.
    if (!db || !db->run(options_.unsafe_without_sync ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = FULL"))
      return;
    db_ = std::move(*db);
  }
  int pages = 0;
  int moved = 0;
  const int code = sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved);
  if (code == SQLITE_OK && pages > options_.wal_pages) {
    sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_RESTART, &pages, &moved);
  }
}

}  // namespace fuhyo::store
