// Plays games of self-play for a queue, chunk by chunk, while it has some. One thread at a time.
#pragma once

#include <stop_token>

#include "engines/jobs/queue.h"
#include "engines/jobs/worker.h"

namespace fuhyo::learn {

// The result of a chunk is its games, as encode_chunk() writes them. A chunk fails where the job's files are missing or
// have other contents; other workers may take it. The kind that is wanted is filled in.
jobs::WorkerReport play_for_queue(jobs::Queue& queue, jobs::WorkerOptions options, const std::stop_token& stop);

}  // namespace fuhyo::learn
