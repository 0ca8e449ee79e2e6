// A connection to PostgreSQL for a program that may wait: one statement at a time, and its answer. What the game
// server's store needs beyond that (pipelines, patience that ends, binary arrays) is not here, and this room must not
// know that one. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::jobs {

struct PgFailure {
  std::string message;
  bool lost = false;    // the connection is of no more use, and the outcome is not known
  bool exists = false;  // it would have been there twice: a unique index forbids it
};
template <class T>
using PgResult = std::expected<T, PgFailure>;

// $1 first. Numbers and names travel as text, bytes as bytes.
class Values {
 public:
  Values& add(std::int64_t number);
  Values& add(std::string_view text);  // UTF-8 without NUL
  Values& add_bytes(std::string_view bytes);

 private:
  friend class Connection;
  void add_value(std::string value, int format);
  std::vector<std::string> values_;
  std::vector<int> lengths_, formats_;
};

// Rows and columns from 0; no value is NULL.
class Rows {
 public:
  explicit Rows(PGresult* result) : result_(result) {}
  int size() const { return PQntuples(result_.get()); }
  std::int64_t changed() const;  // rows that the statement wrote
  std::int64_t number(int row, int column) const;
  bool flag(int row, int column) const;
  std::string text(int row, int column) const;
  std::string bytes(int row, int column) const;  // of a bytea

 private:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

class Connection {
 public:
  // `url`: postgres://...; what it does not say is set so that a vanished server is noticed within half a minute. No
  // message quotes the address, which may hold a password.
  static PgResult<std::unique_ptr<Connection>> open(const std::string& url);

  PgResult<Rows> run(const char* statement, const Values& values = {});
  // Several statements without values.
  PgResult<void> run_script(const std::string& script);

 private:
  struct Close {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  explicit Connection(PGconn* connection) : connection_(connection) {}
  PgFailure failure(const PGresult* result) const;

  std::unique_ptr<PGconn, Close> connection_;
};

}  // namespace fuhyo::jobs
