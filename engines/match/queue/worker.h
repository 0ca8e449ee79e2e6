// Plays chunks of matches that a queue has, several at a time. Blocking; threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engines/jobs/queue.h"
#include "engines/jobs/worker.h"

namespace fuhyo::match {

struct QueueWorkerOptions {
  std::string name;          // of this process and no other one; each of its slots adds its number
  std::string batch{};       // empty: any
  int concurrency = 1;       // chunks, and so games, at a time
  std::vector<int> cores{};  // slot i binds its engines to cores[i]; none: to nothing
  bool drain = false;        // ends when nothing is left, instead of waiting for more
  std::int64_t idle_longest_ms = 10'000;
  std::function<void(std::string_view line)> say{};  // one call at a time
};

struct QueueWorkerReport {
  jobs::WorkerReport chunks;  // of all slots
  // Why it ended before it was asked to: an engine does not run here. Its chunks went back unharmed, for machines on
  // which it does; empty: it was asked to end.
  std::string trouble{};
};

// A machine without an engine must not count as an engine that loses: every engine of a batch is tried out before the
// first game, and a worker on which one does not run gives its chunks back and ends. What fails after that is played as
// in a match on one machine. Engines stay in their slot from chunk to chunk until the queue has no more of their match.
QueueWorkerReport play_for_queue(jobs::Queue& queue, const QueueWorkerOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::match
