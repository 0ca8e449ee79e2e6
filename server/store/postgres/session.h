// What every session of ours sets and finds out once it is connected. See connection.h for threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"

namespace fuhyo::store {

// What a transaction begins and ends with.
inline constexpr PgStatement kBegin{"begin", "BEGIN"};
inline constexpr PgStatement kCommit{"commit", "COMMIT"};

// Who a session is to the server: it can be ended by that, and by nothing else.
struct PgSession {
  std::int64_t pid = 0;
  std::string began;
};

enum class PgUse : std::uint8_t {
  commits,  // answers within answer_ms, or the server ends what it was asked
  reads,    // ... within long_answer_ms
  import,   // likewise, and its transaction may stay open
};

// Connects, and sets limits at the server's end as well, so that a session whose other end has vanished goes too.
PgResult<std::unique_ptr<PgConnection>> open_session(const PostgresAddress& address, const PostgresOptions& options,
                                                     const char* purpose, PgUse use, const Patience& patience);

// A session that is opened when it is used first, and again after it was lost. One thread at a time.
class LastingSession {
 public:
  LastingSession(PostgresAddress address, PostgresOptions options, const char* purpose, PgUse use)
      : address_(std::move(address)), options_(std::move(options)), purpose_(purpose), use_(use) {}
  // As PgConnection::run() does.
  PgResult<std::vector<PgRows>> run(const std::vector<PgCommand>& commands);

 private:
  const PostgresAddress address_;
  const PostgresOptions options_;
  const char* const purpose_;
  const PgUse use_;
  Patience patience_;
  std::unique_ptr<PgConnection> connection_;
};

// What this session is to the server.
PgResult<PgSession> who_am_i(PgConnection& connection);

// Refuses a server that does not keep what it confirms (or only warns, where `unsafe` allows it), one that only follows
// another one, and one that cannot take UTF-8.
PgResult<void> check_server(PgConnection& connection, const PostgresOptions& options);

}  // namespace fuhyo::store
