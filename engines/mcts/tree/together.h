// Many searches in one thread: tasks that wait for one batcher, driven until all are done. Self-play of any game is
// tasks that play one game after the other.
#pragma once

#include <expected>
#include <functional>
#include <span>
#include <string>

#include "engines/mcts/tree/batcher.h"
#include "engines/mcts/tree/task.h"

namespace fuhyo::mcts {

// Starts the tasks, which must not have begun. `look` is called between two batches, and says whether to go on: if not,
// and after an error, which is the back end's, they must not go on ever. What a task throws is thrown.
inline std::expected<void, std::string> run_together(Batcher& batcher, std::span<Task> tasks,
                                                     const std::function<bool()>& look = {}) {
  for (Task& task : tasks) task.start();
  while (batcher.anybody_waits()) {
    if (auto done = batcher.evaluate(); !done) {
      batcher.forget();
      return done;
    }
    if (look && !look()) {
      batcher.forget();
      return {};
    }
    batcher.go_on();
  }
  for (const Task& task : tasks) task.check();
  return {};
}

}  // namespace fuhyo::mcts
