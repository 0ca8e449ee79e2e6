// Who may write. Twofold: a lock of the database server that the writer's session holds, so that a second game server
// is refused while the first one lives; and an epoch that each writer raises and every transaction checks, so that a
// writer which lost its session without noticing writes nothing once another one has begun. See connection.h for
// threads.
#pragma once

#include <cstdint>
#include <optional>

#include "server/store/postgres/connection.h"
#include "server/store/postgres/session.h"

namespace fuhyo::store {

// Takes the lock for this connection, and waits for it so long at most. `former`: our own session before this one; if
// it still holds the lock, the server has not noticed that its other end is gone, and it is ended. The error says who
// holds the lock.
PgResult<void> take_lock(PgConnection& connection, const std::optional<PgSession>& former, int wait_ms);

// By an orderly end: the next writer need not wait until the server has noticed that this session is over.
PgResult<void> give_lock_back(PgConnection& connection);

// One row if a session holds the lock, else none.
PgCommand look_for_holder();

// Raises the epoch, durably: the new one. From now on the former holder is fenced off.
PgResult<std::int64_t> raise_epoch(PgConnection& connection);
PgResult<std::int64_t> read_epoch(PgConnection& connection);

// As the first statement of a transaction: keeps the epoch from being raised until its end, or ends it with an error of
// which is_fenced() is true.
PgCommand check_epoch(std::int64_t epoch);
bool is_fenced(const PgError& error);

}  // namespace fuhyo::store
