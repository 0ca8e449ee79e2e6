// How the SQLite store works: its file and its limits, with their reasons.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/store/options.h"

namespace fuhyo::store {

struct SqliteOptions {
  std::string file;           // the database; "-wal", "-shm" and "-lock" files lie beside it
  const char* vfs = nullptr;  // name of a registered SQLite VFS; null: the operating system's

  JournalLimits limits;

  // A checkpoint begins when the log has grown by this many pages (4 KiB) since the last one ...
  int checkpoint_pages = 1'000;
  // ... and the log is made to begin anew, which halts commits for about one sync, only beyond this many: 64 MiB.
  int wal_pages = 16'384;
  // How long a lock held by a checkpoint or a foreign tool is waited for before the commit counts as failed.
  int busy_ms = 5'000;

  // Only for the test which shows that a power cut then loses what was announced.
  bool unsafe_without_sync = false;

  // Hears what a host should know of, from any thread of the store.
  std::function<void(std::string_view)> warn;
};

}  // namespace fuhyo::store
