// Plays games of self-play for a queue, chunk by chunk, while it has some. One thread at a time.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/jobs/queue.h"
#include "engines/jobs/worker.h"

namespace fuhyo::learn {

struct SelfPlayWorkerOptions {
  std::string name{};   // of no other worker
  std::string batch{};  // empty: any
  bool drain = false;   // end when nothing is left to be played
  std::function<void(std::string_view line)> say{};
};

// The result of a chunk is its games, as encode_chunk() writes them. A chunk fails where the job's files are missing or
// have other contents; other workers may take it.
jobs::WorkerReport play_for_queue(jobs::Queue& queue, const SelfPlayWorkerOptions& options,
                                  const std::stop_token& stop);

}  // namespace fuhyo::learn
