#include "server/store/sqlite/database.h"

#include <fmt/format.h>
#include <utility>

namespace fuhyo::store {
namespace {

std::unexpected<SqliteError> failure(sqlite3* db) {
  return std::unexpected(SqliteError{.code = sqlite3_extended_errcode(db), .message = sqlite3_errmsg(db)});
}

}  // namespace

std::string in_words(const SqliteError& error) { return fmt::format("{} (SQLite {})", error.message, error.code); }

Statement& Statement::bind(int index, std::int64_t number) {
  sqlite3_bind_int64(handle_.get(), index, number);
  return *this;
}

Statement& Statement::bind_real(int index, double number) {
  sqlite3_bind_double(handle_.get(), index, number);
  return *this;
}

Statement& Statement::bind_text(int index, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.empty() ? "" : text.data();
  sqlite3_bind_text64(handle_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_bytes(int index, std::string_view bytes) {
  const char* data = bytes.empty() ? "" : bytes.data();
  sqlite3_bind_blob64(handle_.get(), index, data, bytes.size(), SQLITE_STATIC);
  return *this;
}

SqliteResult<bool> Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  auto error = failure(sqlite3_db_handle(handle_.get()));
  reset();
  return error;
}

SqliteResult<void> Statement::run() {
  for (;;) {
    const SqliteResult<bool> row = step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
  }
}

std::string_view Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

SqliteResult<Database> Database::open(const std::string& file, Access access, const char* vfs, int busy_ms) {
  const int flags = access == Access::read    ? SQLITE_OPEN_READONLY
                    : access == Access::write ? SQLITE_OPEN_READWRITE
                                              : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs);
  Database db;
  db.handle_.reset(handle);
  if (code != SQLITE_OK) {
    return std::unexpected(SqliteError{.code = code, .message = handle ? sqlite3_errmsg(handle) : "out of memory"});
  }
  sqlite3_busy_timeout(handle, busy_ms);
  return db;
}

SqliteResult<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) return failure(handle_.get());
  Statement statement;
  statement.handle_.reset(handle);
  return statement;
}

SqliteResult<void> Database::run(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure(handle_.get());
  return {};
}

SqliteResult<std::int64_t> Database::integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return std::unexpected(std::move(statement.error()));
  const auto row = statement->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::unexpected(SqliteError{.code = SQLITE_DONE, .message = "no row"});
  return statement->integer(0);
}

SqliteResult<std::string> Database::text(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return std::unexpected(std::move(statement.error()));
  const auto row = statement->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::unexpected(SqliteError{.code = SQLITE_DONE, .message = "no row"});
  return std::string(statement->bytes(0));
}

void Database::roll_back() {
  if (sqlite3_get_autocommit(handle_.get()) == 0) sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace fuhyo::store
