// What a process and everything that it has started use, read from /proc. Linux only; any thread.
#pragma once

#include <cstddef>
#include <sys/types.h>
#include <vector>

namespace fuhyo::usi {

struct TreeUse {
  int tasks = 0;  // threads of all processes
  // Anonymous and shared memory that is there or in swap, its page tables, and the most that its pipes and sockets may
  // hold. Not what is files' anyway.
  std::size_t memory_bytes = 0;
};

// Stops counting at `most_tasks` and one more.
TreeUse measure_tree(pid_t root, int most_tasks);

// Its threads and those of all that it has started, as far as they are found.
std::vector<pid_t> tasks_of_tree(pid_t root);

}  // namespace fuhyo::usi
