// What goes to PostgreSQL and what comes back, in its binary form: parameters, arrays of them, and rows. Values; one
// thread at a time.
#pragma once

#include <cstdint>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::store {

// A column of many rows as one parameter, for INSERT .. SELECT FROM unnest($1::bigint[], ...).
class PgArray {
 public:
  enum class Type : std::uint32_t { bytes = 17, integer = 20, text = 25, real = 701 };  // PostgreSQL's numbers of types
  explicit PgArray(Type type) : type_(type) {}

  void add(std::int64_t number);
  void add_real(double number);
  void add_text(std::string_view text);  // of any encoding: see text.h
  void add_bytes(std::string_view bytes);
  std::string take() const;

 private:
  void add_item(std::string_view item);
  Type type_;
  std::uint32_t count_ = 0;
  std::string items_;
};

// The parameters of one statement, $1 first.
class PgParams {
 public:
  PgParams& add(std::int64_t number);
  PgParams& add_flag(bool flag);
  PgParams& add_real(double number);
  PgParams& add_text(std::string_view text);  // of any encoding: see text.h
  PgParams& add_bytes(std::string_view bytes);
  PgParams& add(const PgArray& array);

  const std::vector<std::string>& values() const { return values_; }

 private:
  std::vector<std::string> values_;
};

// The answer to one statement. Rows and columns from 0. A value must not be NULL.
class PgRows {
 public:
  explicit PgRows(PGresult* result) : result_(result) {}
  PGresult* get() const { return result_.get(); }

  int size() const { return PQntuples(result_.get()); }
  int columns() const { return PQnfields(result_.get()); }
  std::uint32_t type(int column) const { return PQftype(result_.get(), column); }  // PostgreSQL's number, see PgArray
  std::int64_t integer(int row, int column) const;                                 // also of a boolean
  double real(int row, int column) const;
  std::string_view bytes(int row, int column) const;  // as long as this object
  std::string text(int row, int column) const;        // of any encoding: see text.h

 private:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

}  // namespace fuhyo::store
