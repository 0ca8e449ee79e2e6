#include "server/store/postgres/lease.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>
#include <utility>

namespace fuhyo::store {
namespace {

constexpr std::int64_t kLock = 0x46554859;  // "FUHY", of each database
constexpr int kLook_ms = 50;

constexpr PgStatement kTryLock{"try_lock", "SELECT pg_try_advisory_lock($1)"};
constexpr PgStatement kUnlock{"unlock", "SELECT pg_advisory_unlock($1)"};
constexpr PgStatement kEndSession{
    "end_session",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::bigint AND backend_start::text = $2"};
constexpr PgStatement kHolder{
    "holder",
    "SELECT pid::bigint, coalesce(host(a.client_addr), 'this machine'), coalesce(a.backend_start::text, 'long ago')"
    " FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid) WHERE l.locktype = 'advisory' AND l.granted"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND l.classid::bigint = $1::bigint >> 32 AND l.objid::bigint = $1::bigint & 4294967295 AND l.objsubid = 1"};
constexpr PgStatement kRaise{"raise_epoch", "UPDATE lease SET epoch = epoch + 1 RETURNING epoch"};
constexpr PgStatement kRead{"read_epoch", "SELECT epoch FROM lease"};
// No row, and the division fails: the error stops whatever of the transaction has been sent already.
constexpr PgStatement kCheck{
    "check_epoch", "SELECT 1 / count(*) FROM (SELECT epoch FROM lease WHERE epoch = $1::bigint FOR UPDATE) AS held"};
constexpr std::string_view kDivisionByZero = "22012";

PgResult<bool> try_lock(PgConnection& connection) {
  PgParams lock;
  lock.add(kLock);
  auto row = connection.run(kTryLock, std::move(lock));
  if (!row) return std::unexpected(row.error());
  return row->integer(0, 0) != 0;
}

PgResult<void> end_session(PgConnection& connection, const PgSession& session) {
  PgParams who;
  who.add(session.pid).add_text(session.began);
  auto ended = connection.run(kEndSession, std::move(who));
  if (!ended) return std::unexpected(ended.error());
  return {};
}

PgError held_by_another(PgConnection& connection) {
  PgParams lock;
  lock.add(kLock);
  auto row = connection.run(kHolder, std::move(lock));
  if (!row || row->size() == 0) return {.state = "", .message = "is in use by another game server", .lost = false};
  return {.state = "",
          .message = fmt::format("is in use by another game server: session {} from {}, since {}", row->integer(0, 0),
                                 row->text(0, 1), row->text(0, 2)),
          .lost = false};
}

PgResult<std::int64_t> number(PgResult<PgRows> row) {
  if (!row) return std::unexpected(row.error());
  if (row->size() != 1)
    return std::unexpected(PgError{.state = "", .message = "the table lease is empty", .lost = false});
  return row->integer(0, 0);
}

}  // namespace

PgResult<void> take_lock(PgConnection& connection, const std::optional<PgSession>& former, int wait_ms) {
  for (int waited_ms = 0;; waited_ms += kLook_ms) {
    const auto taken = try_lock(connection);
    if (!taken) return std::unexpected(taken.error());
    if (*taken) return {};
    if (waited_ms >= wait_ms) return std::unexpected(held_by_another(connection));
    if (former && waited_ms == 0) {
      if (auto ended = end_session(connection, *former); !ended) return ended;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kLook_ms));
  }
}

PgResult<void> give_lock_back(PgConnection& connection) {
  PgParams lock;
  lock.add(kLock);
  auto row = connection.run(kUnlock, std::move(lock));
  if (!row) return std::unexpected(row.error());
  return {};
}

PgCommand look_for_holder() {
  PgCommand command{.statement = &kHolder, .params = {}};
  command.params.add(kLock);
  return command;
}

PgResult<std::int64_t> raise_epoch(PgConnection& connection) { return number(connection.run(kRaise)); }
PgResult<std::int64_t> read_epoch(PgConnection& connection) { return number(connection.run(kRead)); }

PgCommand check_epoch(std::int64_t epoch) {
  PgCommand command{.statement = &kCheck, .params = {}};
  command.params.add(epoch);
  return command;
}

bool is_fenced(const PgError& error) { return error.state == kDivisionByZero; }

}  // namespace fuhyo::store
