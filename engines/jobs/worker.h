// Works on chunks of a queue, one after the other: claims, renews while the work goes on, hands in, and waits when
// there is nothing. Blocking; run_worker() belongs to the calling thread and keeps a second one for renewals. A worker
// that is told to stop gives its chunk back; one that is killed leaves it to others.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/jobs/queue.h"

namespace fuhyo::jobs {

// The work on one chunk: its result, or why it failed. It ends soon after a stop is requested, with an error (the chunk
// goes back unharmed, or is somebody else's already) or, if it is nearly done, with its result.
using Work = std::function<Result<std::string>(const Claim& claim, const std::stop_token& stop)>;

// Waits so long, or until a stop is requested.
using Pause = std::function<void(std::int64_t ms, const std::stop_token& stop)>;
void pause_for(std::int64_t ms, const std::stop_token& stop);

struct WorkerOptions {
  Wanted wanted;
  // Ends when nothing is left to be done in what is wanted, instead of waiting for more. While others hold chunks it
  // waits for them: they may fall silent.
  bool drain = false;
  // Between two looks at a queue that has nothing, or is away: doubled each time from the first to the longest.
  std::int64_t idle_first_ms = 100;
  std::int64_t idle_longest_ms = 10'000;
  std::function<void()> idle{};  // there is nothing: what is kept from chunk to chunk can go; from the calling thread
  Pause pause = pause_for;
  std::function<void(std::string_view line)> say{};  // hears what a log should tell; from both threads
};

struct WorkerReport {
  std::int64_t counted = 0;     // chunks whose result is this worker's
  std::int64_t late = 0;        // somebody else's was first, or the batch is over
  std::int64_t failed = 0;      //
  std::int64_t given_back = 0;  // because this worker was to stop
  std::int64_t lost = 0;        // left off: given up by the queue, or the batch is over
  bool operator==(const WorkerReport&) const = default;
};

WorkerReport run_worker(Queue& queue, const WorkerOptions& options, const Work& work, const std::stop_token& stop);

}  // namespace fuhyo::jobs
