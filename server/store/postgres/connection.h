// A connection to PostgreSQL that never waits longer than it was told to. Every failure is a PgError; nothing throws.
// Statements have parameters in binary form only, and are prepared when they are used first. One thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <libpq-fe.h>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/store/postgres/address.h"
#include "server/store/postgres/values.h"

namespace fuhyo::store {

struct PgError {
  std::string state;  // SQLSTATE; empty: not from the server
  std::string message;
  bool lost = false;  // the connection is of no more use
};
template <class T>
using PgResult = std::expected<T, PgError>;

// "disk full (PostgreSQL 53100)"
std::string in_words(const PgError& error);
inline std::unexpected<std::string> refuse(const PgError& error) { return std::unexpected(in_words(error)); }

// Until when connections of one owner may wait at all. Any thread.
class Patience {
 public:
  // `now_ms`: a steady clock, for any thread; empty: the machine's.
  explicit Patience(std::function<std::int64_t()> now_ms = {}) : now_ms_(std::move(now_ms)) {}
  // Whatever waits, or begins to, ends within so long from now.
  void end_in(int ms);
  std::int64_t now_ms() const;
  std::int64_t end_ms() const { return end_ms_; }

 private:
  const std::function<std::int64_t()> now_ms_;
  std::atomic<std::int64_t> end_ms_ = std::numeric_limits<std::int64_t>::max();
};

// One statement; its address names it on every connection. With an empty name it is made for one use.
struct PgStatement {
  const char* name;
  const char* sql;
};
struct PgCommand {
  const PgStatement* statement = nullptr;
  PgParams params;
};

class PgConnection {
 public:
  // `purpose`: what the server's list of sessions shows. `patience` outlives the connection. `vanished_ms`: a network
  // that has swallowed packets for so long has lost the connection.
  static PgResult<std::unique_ptr<PgConnection>> open(const PostgresAddress& address, const char* purpose,
                                                      int connect_ms, const Patience& patience,
                                                      int vanished_ms = 15'000);
  PgConnection(const PgConnection&) = delete;
  PgConnection& operator=(const PgConnection&) = delete;

  // Longest wait for the answers to one call, from now on.
  void set_limit(int ms) { limit_ms_ = ms; }

  // Sends all and then reads all answers: one for each, or the first error; what comes after that is not done, and a
  // transaction that was open is rolled back. Outside of a transaction they are one.
  PgResult<std::vector<PgRows>> run(std::span<const PgCommand> commands);
  PgResult<PgRows> run(const PgStatement& statement, PgParams params = {});
  // Several statements without parameters: those of migrations.
  PgResult<void> run_script(const std::string& sql);

  // Waits until the server has sent a notification, or so long. True: one has come.
  PgResult<bool> wait_notified(int ms);

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  struct Expected {
    const PgStatement* statement;
    bool preparing;
  };

  PgConnection(PGconn* connection, const Patience& patience);
  PgResult<void> send(std::span<const PgCommand> commands, std::vector<Expected>& expected);
  PgResult<PgRows> next_answer(std::int64_t deadline_ms);
  PgResult<void> wait(short events, std::int64_t deadline_ms);
  PgResult<std::vector<PgRows>> take_answers(std::span<const Expected> expected);
  PgError lost(std::string why) const;

  std::unique_ptr<PGconn, Finish> connection_;
  const Patience& patience_;
  int limit_ms_ = 10'000;
  std::unordered_set<const PgStatement*> prepared_;
};

}  // namespace fuhyo::store
