// Works on chunks of a queue, one after the other: claims a chunk, renews its lease during the work, finishes it, and
// waits when there is none. Blocking; run_worker() uses the calling thread and a second one for renewals. A worker that
// is stopped releases its chunk; the lease of a killed one expires.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/jobs/queue.h"

namespace fuhyo::jobs {

// Works on one chunk; returns its result, or the reason of a failure. Must end soon after a requested stop, with an
// error (the chunk is then released without a failure) or, if nearly done, with the result.
using Work = std::function<Result<std::string>(const Claim& claim, const std::stop_token& stop)>;

// Waits `ms`, or until a stop is requested.
using Pause = std::function<void(std::int64_t ms, const std::stop_token& stop)>;
void pause_for(std::int64_t ms, const std::stop_token& stop);

struct WorkerOptions {
  Wanted wanted;
  // End when no wanted chunk is left, instead of waiting for more. Waits while others hold chunks: their leases may
  // expire.
  bool drain = false;
  // The pause between two claims of an empty or unreachable queue: doubled each time, from first to longest.
  std::int64_t idle_first_ms = 100;
  std::int64_t idle_longest_ms = 10'000;
  std::function<void()> idle{};  // the queue is empty: free what is kept between chunks; on the calling thread
  Pause pause = pause_for;
  std::function<void(std::string_view line)> say{};  // a line for the log; from both threads
};

struct WorkerReport {
  std::int64_t counted = 0;     // chunks whose result is this worker's
  std::int64_t late = 0;        // another worker was first, or the batch is over
  std::int64_t failed = 0;      //
  std::int64_t given_back = 0;  // released because this worker was stopped
  std::int64_t lost = 0;        // interrupted: the lease expired, or the batch is over
  bool operator==(const WorkerReport&) const = default;
};

WorkerReport run_worker(Queue& queue, const WorkerOptions& options, const Work& work, const std::stop_token& stop);

}  // namespace fuhyo::jobs
