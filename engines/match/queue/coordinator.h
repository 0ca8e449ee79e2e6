// Runs a match whose games are played by the workers of a queue: adds it to the queue, collects the results, and
// cancels the rest when the test has decided or only copies come. Blocking; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/jobs/queue.h"
#include "engines/jobs/worker.h"
#include "engines/match/match.h"

namespace fuhyo::match {

struct QueueMatchOptions {
  std::string batch{};          // its name; empty: derived from the match
  std::int64_t encounters = 4;  // in a chunk
  std::int64_t poll_ms = 1000;
  jobs::Pause pause = jobs::pause_for;
  std::function<void(std::string_view line)> say{};
};

// After Match::resume(). Continues if the batch of this match is in the queue: reads its results again, and skips those
// that the ledger has. After an interruption the batch stays, and workers go on. Waits for a queue that is not
// reachable. Match::trouble() has the reason of a failure: a chunk that was set aside, a batch that was cancelled.
MatchEnd run_over_queue(Match& match, jobs::Queue& queue, const QueueMatchOptions& options, const Match::Told& told,
                        const std::stop_token& stop);

}  // namespace fuhyo::match
