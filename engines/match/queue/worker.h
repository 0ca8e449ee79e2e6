// Plays chunks of matches of a queue, several at a time. Blocking; has its own threads.
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
  std::string name;          // unique to this process; each slot adds its number
  std::string batch{};       // empty: any
  int concurrency = 1;       // chunks, and so games, at a time
  std::vector<int> cores{};  // slot i binds its engines to cores[i]; none: to nothing
  bool drain = false;        // end when the queue is empty, instead of waiting for more
  std::int64_t idle_longest_ms = 10'000;
  std::function<void(std::string_view line)> say{};  // one call at a time
};

struct QueueWorkerReport {
  jobs::WorkerReport chunks;  // of all slots
  // The reason of an early end: an engine does not run on this machine. Its chunks were released, for other machines.
  // Empty: it was asked to end.
  std::string trouble{};
};

// A missing engine must not lose games: every engine of a batch is started once before the first game. If one does not
// run, the worker releases its chunks and ends. Later failures count as in a match on one machine. Engines stay in
// their slot until the queue has no more chunks of their match.
QueueWorkerReport play_for_queue(jobs::Queue& queue, const QueueWorkerOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::match
