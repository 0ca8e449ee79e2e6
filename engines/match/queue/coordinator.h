// A match whose games are played by the workers of a queue: puts it in, collects what comes back, and cancels what is
// left when the test has decided or only copies come. Blocking; one thread.
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
  std::string batch{};          // its name; empty: one that the match gives
  std::int64_t encounters = 4;  // of a chunk
  std::int64_t poll_ms = 1000;
  jobs::Pause pause = jobs::pause_for;
  std::function<void(std::string_view line)> say{};
};

// After Match::resume(). The same match put in again is gone on with: results that the queue has are read again, and
// what the ledger has of them is passed over. Interrupted, the batch stays, and workers go on. A queue that is away is
// waited for. Match::trouble() says what is faulty: a chunk that was set aside, a batch that somebody cancelled.
MatchEnd run_over_queue(Match& match, jobs::Queue& queue, const QueueMatchOptions& options, const Match::Told& told,
                        const std::stop_token& stop);

}  // namespace fuhyo::match
