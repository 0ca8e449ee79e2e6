#include "server/store/catalogue/sql_query.h"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace fuhyo::store {
namespace {

std::string like_pattern(std::string_view pattern) {
  std::string escaped;
  for (const char c : pattern) {
    if (c == '%' || c == '_' || c == '\\') escaped += '\\';
    escaped += c == '*' ? '%' : c;
  }
  return escaped;
}

}  // namespace

void SqlQuery::place(SqlValue value, std::string_view type) {
  values_.push_back(std::move(value));
  if (dialect_ == Dialect::sqlite)
    sql_ += fmt::format("?{}", values_.size());
  else
    sql_ += fmt::format("${}::{}", values_.size(), type);
}

SqlQuery& SqlQuery::value(std::int64_t number) {
  place(number, "bigint");
  return *this;
}

SqlQuery& SqlQuery::value(double number) {
  place(number, "double precision");
  return *this;
}

SqlQuery& SqlQuery::value(std::string_view text) {
  place(std::string(text), "text");
  return *this;
}

SqlQuery& SqlQuery::bytewise(std::string_view column) {
  return *this << column << (dialect_ == Dialect::sqlite ? "" : " COLLATE \"C\"");
}

// SQLite's LIKE passes over the case of ASCII letters, as ILIKE does.
SqlQuery& SqlQuery::like(std::string_view column, std::string_view pattern) {
  bytewise(column) << (dialect_ == Dialect::sqlite ? " LIKE " : " ILIKE ");
  value(like_pattern(pattern));
  return *this << " ESCAPE '\\'";
}

SqlQuery& SqlQuery::fits(std::string_view column, std::string_view pattern) {
  if (dialect_ == Dialect::postgres) {
    *this << column << " LIKE ";
    value(like_pattern(pattern));
    return *this << " ESCAPE '\\'";
  }
  std::string escaped;
  for (const char c : pattern) escaped += c == '?' || c == '[' ? std::string("[") + c + "]" : std::string(1, c);
  *this << column << " GLOB ";
  return value(escaped);
}

}  // namespace fuhyo::store
