#include "server/store/sqlite/copy.h"

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/dump.h"

namespace fuhyo::store {
namespace {

// Whether the copy failed where it is written; else where it is read.
bool is_about_writing(int code) {
  constexpr int kKind = 0xff;
  return code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC || (code & kKind) == SQLITE_FULL ||
         (code & kKind) == SQLITE_READONLY;
}

}  // namespace

std::expected<void, std::string> copy_database(const SqliteOptions& options, const std::string& file) {
  auto from = open_whole(options);
  if (!from) return std::unexpected(options.file + ": " + from.error());
  const auto not_written = [&](const SqliteError& why) { return std::unexpected(file + ": " + in_words(why)); };
  auto to = Database::open(file, Database::Access::create, options.vfs, options.busy_ms);
  if (!to) return not_written(to.error());
  sqlite3_backup* copy = sqlite3_backup_init(to->handle(), "main", from->handle(), "main");
  if (copy == nullptr) return std::unexpected(file + ": " + sqlite3_errmsg(to->handle()));
  // All pages in one step: under one read lock, which in WAL mode nobody who commits waits for. In portions the copy
  // would begin anew with every commit in between.
  const int copied = sqlite3_backup_step(copy, -1);
  sqlite3_backup_finish(copy);
  if (copied != SQLITE_DONE) {
    const SqliteError why{.code = copied, .message = sqlite3_errstr(copied)};
    return is_about_writing(copied) ? not_written(why) : std::unexpected(options.file + ": " + in_words(why));
  }
  // One file without a log beside it, which can also be read where nothing can be written.
  const auto mode = to->text("PRAGMA journal_mode = DELETE");
  if (!mode) return not_written(mode.error());
  if (*mode != "delete") return std::unexpected(file + ": the copy keeps its log: " + *mode);
  return {};
}

}  // namespace fuhyo::store
