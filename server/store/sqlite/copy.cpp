#include "server/store/sqlite/copy.h"

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/dump.h"

namespace fuhyo::store {

std::expected<void, std::string> copy_database(const SqliteOptions& options, const std::string& file) {
  auto from = open_whole(options);
  if (!from) return std::unexpected(std::move(from.error()));
  auto to = Database::open(file, Database::Access::create, options.vfs, options.busy_ms);
  if (!to) return refuse(to.error());
  sqlite3_backup* copy = sqlite3_backup_init(to->handle(), "main", from->handle(), "main");
  if (copy == nullptr) return std::unexpected(sqlite3_errmsg(to->handle()));
  // All pages in one step: under one read lock, which in WAL mode nobody who commits waits for. In portions the copy
  // would begin anew with every commit in between.
  const int copied = sqlite3_backup_step(copy, -1);
  sqlite3_backup_finish(copy);
  if (copied != SQLITE_DONE) return refuse({.code = copied, .message = sqlite3_errstr(copied)});
  // One file without a log beside it, which can also be read where nothing can be written.
  const auto mode = to->text("PRAGMA journal_mode = DELETE");
  if (!mode) return refuse(mode.error());
  if (*mode != "delete") return std::unexpected("the copy keeps its log: " + *mode);
  return {};
}

}  // namespace fuhyo::store
