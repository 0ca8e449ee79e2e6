// How the PostgreSQL store works: its limits, with their reasons.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "server/store/options.h"

namespace fuhyo::store {

struct PostgresOptions {
  JournalLimits limits;

  // Longest wait for a connection, from the first packet to the end of authentication.
  int connect_ms = 5'000;
  // Longest wait for an answer to a commit. Beyond it the connection counts as lost: a server that is slower plays no
  // games, and a network that swallows packets is noticed no later than this.
  int answer_ms = 10'000;
  // ... and to what reads the whole store at a start, an import, or an operator's query.
  int long_answer_ms = 120'000;
  // Once the journal is being closed, everything that waits for the database ends within this.
  int close_ms = 3'000;
  // How long a start waits for the session of a server that has just ended.
  int lock_wait_ms = 3'000;
  // Listeners are woken at most this often: NOTIFY takes a lock of the whole database server while it commits.
  int notify_every_ms = 10;
  // A writer with nothing to write asks this often whether it still is the writer; 0: never.
  int look_every_ms = 1'000;
  // The steady clock that the limits of the writer's session are measured by; empty: the machine's.
  std::function<std::int64_t()> now_ms;

  // Works also with a database server that loses what it has confirmed when the power fails.
  bool unsafe = false;

  // Called with what a host should know, from any thread of the store.
  std::function<void(std::string_view)> warn;
};

}  // namespace fuhyo::store
