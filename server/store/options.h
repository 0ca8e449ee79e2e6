// How a store works, whichever database is below it: its limits, with their reasons, and whom it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace fuhyo::store {

struct JournalLimits {
  // Facts that no live game needs are kept until they are older than this, counted by the facts' own times. A week is
  // enough for a follower that was away over a long event; finished games are kept for ever, in their own table.
  std::int64_t keep_us = 7LL * 24 * 3600 * 1'000'000;
  // ... and never more than this many, so that a load test cannot fill the disk: about 3 GB.
  std::int64_t keep_rows = 20'000'000;
  // Rows deleted in one transaction: about a millisecond.
  std::int64_t prune_rows = 5'000;
  // Retention looks for work this often, and while there is some takes the next range after this long.
  int prune_idle_ms = 60'000;
  int prune_next_ms = 50;

  // After a failed commit the next try comes after this long, then twice as long, and so on up to the longest.
  int retry_first_ms = 20;
  int retry_longest_ms = 1'000;
};

struct StoreOptions {
  JournalLimits limits;
  // Works also with a database server that loses what it has confirmed when the power fails (PostgreSQL only).
  bool unsafe = false;
  // Called with what a host should know, from any thread of the store.
  std::function<void(std::string_view)> warn;
};

}  // namespace fuhyo::store
