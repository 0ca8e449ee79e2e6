// SQLite as values: a connection and its prepared statements. Every failure is an SqliteError; nothing throws.
// A connection and its statements belong to one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fuhyo::store {

struct SqliteError {
  int code = 0;  // extended result code
  std::string message;
};
template <class T>
using SqliteResult = std::expected<T, SqliteError>;

// "disk I/O error (SQLite 778)"
std::string in_words(const SqliteError& error);
inline std::unexpected<std::string> refuse(const SqliteError& error) { return std::unexpected(in_words(error)); }
template <class Value>
std::expected<Value, std::string> in_words(SqliteResult<Value> result) {
  if (!result) return refuse(result.error());
  if constexpr (std::is_void_v<Value>)
    return {};
  else
    return std::move(*result);
}

// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement() = default;

  // Bound text and bytes are not copied: they must outlive the next step() or run().
  Statement& bind(int index, std::int64_t number);
  Statement& bind_real(int index, double number);
  Statement& bind_text(int index, std::string_view text);
  Statement& bind_bytes(int index, std::string_view bytes);
  // Executes to the end and makes the statement ready for the next use.
  SqliteResult<void> run();
  // True: a row is there to be read. After false or an error the statement is ready for the next use.
  SqliteResult<bool> step();
  void reset() { sqlite3_reset(handle_.get()); }

  int columns() const { return sqlite3_column_count(handle_.get()); }
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  int type(int column) const { return sqlite3_column_type(handle_.get(), column); }  // SQLITE_INTEGER ..
  std::string_view bytes(int column) const;  // valid until the next step, run or reset

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

class Database {
 public:
  enum class Access : std::uint8_t { create, write, read };

  // `vfs`: name of a registered VFS, or null for the system's. Waits up to `busy_ms` where another connection holds a
  // lock.
  static SqliteResult<Database> open(const std::string& file, Access access, const char* vfs, int busy_ms);

  SqliteResult<Statement> prepare(std::string_view sql);
  SqliteResult<void> run(const char* sql);  // any number of statements without results
  // The first column of the first row; an error if there is none.
  SqliteResult<std::int64_t> integer(std::string_view sql);
  SqliteResult<std::string> text(std::string_view sql);
  // Ends a transaction that a failure left open, if any.
  void roll_back();
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace fuhyo::store
