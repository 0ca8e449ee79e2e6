// What a test tells the libraries that it has preloaded into another program, while that runs: one page of memory
// shared through the file that FUHYO_SHIM_CONTROL names. shims.py writes the same layout. Any thread, any process.
#pragma once

#include <atomic>
#include <cstdint>

namespace fuhyo::shim {

struct Control {
  std::atomic<std::int64_t> sync_ms;      // fsync and fdatasync take so much longer
  std::atomic<std::int64_t> wall_us;      // the wall clock is so much ahead
  std::atomic<std::int64_t> allocations;  // so far
  std::atomic<std::int64_t> fail_at;      // the allocation with this number fails; 0: none
  std::atomic<std::int64_t> fail_on;      // not 0: and so do all that follow
  std::atomic<std::int64_t> disk_calls;   // writes, syncs, renames and deletions so far
  std::atomic<std::int64_t> kill_at;      // the process kills itself right before the one with this number; 0: never
  std::atomic<std::int64_t> lying_syncs;  // not 0: syncs are told to have happened, and have not
};

// Nothing if the variable is not set, or the file is not there.
Control* control();

}  // namespace fuhyo::shim
