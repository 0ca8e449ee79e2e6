#include "server/store/sqlite/log.h"

#include <algorithm>
#include <vector>

namespace fuhyo::store {
namespace {

constexpr sqlite3_int64 kChunk = 64 * 1024;  // SQLite's unix layer writes less than 128 KiB at a time

int rewrite(sqlite3_file& log) {
  sqlite3_int64 size = 0;
  if (const int code = log.pMethods->xFileSize(&log, &size); code != SQLITE_OK) return code;
  std::vector<char> bytes(static_cast<std::size_t>(std::min(size, kChunk)));
  for (sqlite3_int64 at = 0; at < size; at += kChunk) {
    const int part = static_cast<int>(std::min(size - at, kChunk));
    if (const int code = log.pMethods->xRead(&log, bytes.data(), part, at); code != SQLITE_OK) return code;
    if (const int code = log.pMethods->xWrite(&log, bytes.data(), part, at); code != SQLITE_OK) return code;
  }
  return size == 0 ? SQLITE_OK : log.pMethods->xSync(&log, SQLITE_SYNC_NORMAL);
}

}  // namespace

SqliteResult<void> rewrite_log(Database& db) {
  sqlite3_file* log = nullptr;
  const int code = sqlite3_file_control(db.handle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
  if (code != SQLITE_OK || log == nullptr || log->pMethods == nullptr) {
    return std::unexpected(SqliteError{.code = SQLITE_ERROR, .message = "the log is not open"});
  }
  // Nobody appends to it meanwhile.
  if (auto begun = db.run("BEGIN IMMEDIATE"); !begun) return begun;
  const int rewritten = rewrite(*log);
  db.roll_back();
  if (rewritten == SQLITE_OK) return {};
  return std::unexpected(SqliteError{.code = rewritten, .message = "the log cannot be written again"});
}

}  // namespace fuhyo::store
