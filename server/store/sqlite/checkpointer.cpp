#include "server/store/sqlite/checkpointer.h"

#include <utility>

namespace fuhyo::store {
namespace {

// The longest that readers of old rows may delay a new beginning of the log; the writer waits meanwhile.
constexpr int kReaders_ms = 10;

}  // namespace

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
    if (pages <= pages_) behind_ = 0;  // the log has begun anew
    pages_ = pages;
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

bool SqliteCheckpointer::connect() {
  if (db_) return true;
  auto db = Database::open(options_.file, Database::Access::write, options_.vfs, kReaders_ms);
  // The same care as the writer's: the database is synced before the log may begin anew.
  if (!db || !db->run(options_.unsafe_without_sync ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = FULL")) {
    return false;
  }
  db_ = std::move(*db);
  return true;
}

// Other failures are left to the next time: nothing is lost by a longer log, and a disk that fails shows in the
// commits.
void SqliteCheckpointer::checkpoint() {
  if (log_kept_ || !connect()) return;
  int pages = 0;
  if (move(SQLITE_CHECKPOINT_PASSIVE, &pages) && pages > options_.wal_pages) begin_anew();
}

bool SqliteCheckpointer::move(int mode, int* pages) {
  const int code = sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, mode, pages, nullptr);
  if (code != SQLITE_OK && sqlite3_extended_errcode(db_->handle()) == SQLITE_IOERR_FSYNC) keep_log();
  return code == SQLITE_OK;
}

// This connection stays open to the end and is the last that writes, so that none moves the log while it is closed.
void SqliteCheckpointer::keep_log() {
  log_kept_ = true;
  sqlite3_db_config(db_->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (options_.warn) {
    options_.warn(options_.file + ": the disk failed a sync while the log was moved; it is kept until the next start");
  }
}

void SqliteCheckpointer::begin_anew() {
  std::unique_lock lock(mutex_);
  restarting_ = true;
  turn_.wait(lock, [this] { return !writing_; });
  lock.unlock();
  move(SQLITE_CHECKPOINT_RESTART, nullptr);
  lock.lock();
  restarting_ = false;
  turn_.notify_all();
}

SqliteCheckpointer::WriterTurn::WriterTurn(SqliteCheckpointer& checkpointer) : checkpointer_(checkpointer) {
  std::unique_lock lock(checkpointer_.mutex_);
  checkpointer_.turn_.wait(lock, [this] { return !checkpointer_.restarting_; });
  checkpointer_.writing_ = true;
}

SqliteCheckpointer::WriterTurn::~WriterTurn() {
  const std::lock_guard lock(checkpointer_.mutex_);
  checkpointer_.writing_ = false;
  if (checkpointer_.restarting_) checkpointer_.turn_.notify_all();
}

}  // namespace fuhyo::store
