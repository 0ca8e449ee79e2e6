#include "server/store/postgres/session.h"

#include <fmt/format.h>
#include <utility>

namespace fuhyo::store {
namespace {

// Of one who writes, at both ends: it shall know that it is cut off, and say so to a proxy (/readyz), before a standby
// takes over.
constexpr int kWriterVanished_ms = 5'000;

// A vanished client is noticed after about half a minute instead of two hours; a vanished writer, whose lock another
// one may wait for, within five seconds. What is off in the configuration is on in our sessions, whatever else the
// server is set to. No query is compiled or divided over processes: that takes longer than nearly all of ours, and
// games need the processor.
constexpr PgStatement kLimits{
    "limits",
    "SELECT set_config('statement_timeout', $1::bigint::text, false), set_config('lock_timeout', $1::bigint::text,"
    " false), set_config('idle_in_transaction_session_timeout', $2::bigint::text, false),"
    " set_config('tcp_keepalives_idle', $3::bigint::text, false), set_config('tcp_keepalives_interval',"
    " $4::bigint::text, false), set_config('tcp_keepalives_count', '3', false),"
    " set_config('tcp_user_timeout', $5::bigint::text, false),"
    " set_config('default_transaction_isolation', 'read committed', false), set_config('jit', 'off', false),"
    " set_config('max_parallel_workers_per_gather', '0', false)"};

constexpr PgStatement kWho{
    "who", "SELECT pid::bigint, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()"};

constexpr PgStatement kServer{
    "server",
    "SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),"
    " current_setting('server_encoding'), pg_is_in_recovery()"};

constexpr PgStatement kSynchronous{
    "synchronous",
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"};

std::unexpected<PgError> broken(std::string why) {
  return std::unexpected(PgError{.state = "", .message = std::move(why), .lost = false});
}

}  // namespace

PgResult<std::unique_ptr<PgConnection>> open_session(const PostgresAddress& address, const PostgresOptions& options,
                                                     const char* purpose, PgUse use, const Patience& patience) {
  const bool writes = use == PgUse::commits;
  auto connection = writes ? PgConnection::open(address, purpose, options.connect_ms, patience, kWriterVanished_ms)
                           : PgConnection::open(address, purpose, options.connect_ms, patience);
  if (!connection) return connection;
  const int limit_ms = use == PgUse::commits ? options.answer_ms : options.long_answer_ms;
  (*connection)->set_limit(limit_ms);
  PgParams limits;
  limits.add(std::int64_t{limit_ms}).add(use == PgUse::import ? 0 : std::int64_t{limit_ms});
  limits.add(std::int64_t{writes ? 2 : 10})
      .add(std::int64_t{writes ? 1 : 5})
      .add(std::int64_t{writes ? kWriterVanished_ms : 15'000});
  if (auto set = (*connection)->run(kLimits, std::move(limits)); !set) return std::unexpected(set.error());
  return connection;
}

PgResult<PgSession> who_am_i(PgConnection& connection) {
  auto row = connection.run(kWho);
  if (!row) return std::unexpected(row.error());
  if (row->size() != 1) return broken("the server does not know this session");
  return PgSession{.pid = row->integer(0, 0), .began = row->text(0, 1)};
}

PgResult<void> check_server(PgConnection& connection, const PostgresOptions& options) {
  auto row = connection.run(kServer);
  if (!row) return std::unexpected(row.error());
  static constexpr const char* kPromises[] = {"fsync", "full_page_writes", "synchronous_commit"};
  for (int i = 0; i < 3; ++i) {
    if (row->bytes(0, i) != "off") continue;
    std::string why =
        fmt::format("the server has {} = off: a power cut would take back what it has confirmed", kPromises[i]);
    if (!options.unsafe) return broken(std::move(why));
    if (options.warn) options.warn(why);
  }
  if (row->bytes(0, 3) != "UTF8") return broken("the database's encoding is not UTF8");
  if (row->integer(0, 4) != 0) return broken("the server only follows another one");
  auto set = connection.run(kSynchronous);
  if (!set) return std::unexpected(set.error());
  return {};
}

PgResult<std::vector<PgRows>> LastingSession::run(const std::vector<PgCommand>& commands) {
  if (!connection_) {
    auto opened = open_session(address_, options_, purpose_, use_, patience_);
    if (!opened) return std::unexpected(opened.error());
    connection_ = std::move(*opened);
  }
  auto rows = connection_->run(commands);
  if (!rows && rows.error().lost) connection_.reset();
  return rows;
}

}  // namespace fuhyo::store
