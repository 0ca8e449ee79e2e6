#include "server/store/sqlite/log.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fuhyo::store {
namespace {

constexpr sqlite3_int64 kChunk = 64 * 1024;  // SQLite's unix layer writes less than 128 KiB at a time

int rewrite(sqlite3_file& file) {
  sqlite3_int64 size = 0;
  if (const int code = file.pMethods->xFileSize(&file, &size); code != SQLITE_OK) return code;
  std::vector<char> bytes(static_cast<std::size_t>(std::min(size, kChunk)));
  for (sqlite3_int64 at = 0; at < size; at += kChunk) {
    const int part = static_cast<int>(std::min(size - at, kChunk));
    if (const int code = file.pMethods->xRead(&file, bytes.data(), part, at); code != SQLITE_OK) return code;
    if (const int code = file.pMethods->xWrite(&file, bytes.data(), part, at); code != SQLITE_OK) return code;
  }
  return size == 0 ? SQLITE_OK : file.pMethods->xSync(&file, SQLITE_SYNC_NORMAL);
}

// Null: it is not open, as that of a database in memory never is.
sqlite3_file* file_of(Database& db, int which) {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(db.handle(), "main", which, static_cast<void*>(&file));
  return code == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

SqliteResult<void> rewrite(Database& db, sqlite3_file& file, const std::string& name) {
  const auto synchronous = db.integer("PRAGMA synchronous");
  if (!synchronous) return std::unexpected(synchronous.error());
  if (*synchronous == 0) return {};  // this connection makes nothing safe
  // Nobody appends to it meanwhile.
  if (auto begun = db.run("BEGIN IMMEDIATE"); !begun) return begun;
  const int rewritten = rewrite(file);
  db.roll_back();
  if (rewritten == SQLITE_OK) return {};
  return std::unexpected(SqliteError{.code = rewritten, .message = name + " cannot be written again"});
}

}  // namespace

SqliteResult<void> rewrite_log(Database& db) {
  sqlite3_file* log = file_of(db, SQLITE_FCNTL_JOURNAL_POINTER);
  if (log == nullptr) return std::unexpected(SqliteError{.code = SQLITE_ERROR, .message = "the log is not open"});
  return rewrite(db, *log, "the log");
}

SqliteResult<void> rewrite_empty(Database& db) {
  sqlite3_file* file = file_of(db, SQLITE_FCNTL_FILE_POINTER);
  return file == nullptr ? SqliteResult<void>{} : rewrite(db, *file, "the file");
}

}  // namespace fuhyo::store
