// An SQL query of the catalogue for either database: its text, and its values as parameters. Values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/core/catalogue.h"

namespace fuhyo::store {

enum class Dialect : std::uint8_t { sqlite, postgres };

using SqlValue = std::variant<std::int64_t, double, std::string>;
using SqlRow = std::vector<SqlValue>;  // no column is NULL

inline std::int64_t integer(const SqlRow& row, std::size_t column) { return std::get<std::int64_t>(row.at(column)); }
inline double real(const SqlRow& row, std::size_t column) { return std::get<double>(row.at(column)); }
inline const std::string& text(const SqlRow& row, std::size_t column) { return std::get<std::string>(row.at(column)); }

inline std::unexpected<core::Catalogue::Fault> too_long() {
  return std::unexpected(core::Catalogue::Fault{"the question takes too long: narrow it down", true});
}

class SqlQuery {
 public:
  explicit SqlQuery(Dialect dialect) : dialect_(dialect) {}

  SqlQuery& operator<<(std::string_view sql) {
    sql_ += sql;
    return *this;
  }
  // A value in place of its text: "?3", "$3::bigint".
  SqlQuery& value(std::int64_t number);
  SqlQuery& value(double number);
  SqlQuery& value(std::string_view text);
  // A column that is compared and sorted byte by byte, whatever the locale of the database.
  SqlQuery& bytewise(std::string_view column);
  // "column LIKE ..", upper or lower case; * of `pattern` stands for any characters and nothing else does.
  SqlQuery& like(std::string_view column, std::string_view pattern);
  // The same with case, as core::fits() has it.
  SqlQuery& fits(std::string_view column, std::string_view pattern);

  Dialect dialect() const { return dialect_; }
  const std::string& sql() const { return sql_; }
  const std::vector<SqlValue>& values() const { return values_; }

 private:
  void place(SqlValue value, std::string_view type);

  Dialect dialect_;
  std::string sql_;
  std::vector<SqlValue> values_;
};

// A database connection of its own, which only reads.
class QueryConnection {
 public:
  virtual ~QueryConnection() = default;
  virtual Dialect dialect() const = 0;
  virtual core::Catalogue::Answer<std::vector<SqlRow>> run(const SqlQuery& query) = 0;
};

}  // namespace fuhyo::store
