// How the SQLite store works: its file and its limits, with their reasons.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fuhyo::store {

struct SqliteOptions {
  std::string file;           // the database; "-wal", "-shm" and "-lock" files lie beside it
  const char* vfs = nullptr;  // name of a registered SQLite VFS; null: the operating system's

  // Facts that no live game needs are kept until they are older than this, counted by the facts' own times. A week is
  // enough for a follower that was away over a long event; finished games are kept for ever, in their own table.
  std::int64_t keep_us = 7LL * 24 * 3600 * 1'000'000;
  // ... and never more than this many, so that a load test cannot fill the disk: about 3 GB.
  std::int64_t keep_rows = 20'000'000;
  // Rows deleted in one transaction: about a millisecond.
  std::int64_t prune_rows = 5'000;

  // A checkpoint begins when the log has grown by this many pages (4 KiB) since the last one ...
  int checkpoint_pages = 1'000;
  // ... and the log is made to begin anew, which halts commits for about one sync, only beyond this many: 64 MiB.
  int wal_pages = 16'384;
  // How long a lock held by a checkpoint or a foreign tool is waited for before the commit counts as failed.
  int busy_ms = 5'000;

  // After a failed commit the next try comes after this long, then twice as long, and so on up to the longest.
  int retry_first_ms = 20;
  int retry_longest_ms = 1'000;

  // Only for the test which shows that a power cut then loses what was announced.
  bool unsafe_without_sync = false;

  // Hears what a host should know of, from any thread of the store.
  std::function<void(std::string_view)> warn;
};

}  // namespace fuhyo::store
