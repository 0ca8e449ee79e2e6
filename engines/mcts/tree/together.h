// Runs many searches in one thread: tasks that share one batcher. Self-play is tasks that play one game after the
// other.
#pragma once

#include <expected>
#include <functional>
#include <span>
#include <string>

#include "engines/mcts/tree/batcher.h"
#include "engines/mcts/tree/task.h"

namespace fuhyo::mcts {

// Starts the tasks, which must not have begun, and runs them to their end. `look` is called between two batches; false
// ends the run. After that, and after an error (of the backend), the tasks must not be resumed. Throws what a task
// throws.
inline std::expected<void, std::string> run_together(Batcher& batcher, std::span<Task> tasks,
                                                     const std::function<bool()>& look = {}) {
  for (Task& task : tasks) task.start();
  while (batcher.has_waiting()) {
    if (auto done = batcher.evaluate(); !done) {
      batcher.drop_waiting();
      return done;
    }
    if (look && !look()) {
      batcher.drop_waiting();
      return {};
    }
    batcher.resume_all();
  }
  for (const Task& task : tasks) task.check();
  return {};
}

}  // namespace fuhyo::mcts
