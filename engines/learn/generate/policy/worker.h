// Plays games of policy networks for a queue, chunk by chunk, while it has some. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "engines/jobs/queue.h"
#include "engines/jobs/worker.h"
#include "engines/learn/generate/policy/self_play.h"

namespace fuhyo::learn {

struct PolicyWorkerOptions {
  jobs::WorkerOptions worker{};  // the kind that is wanted is filled in
  PolicyThreadOptions thread_options{};
  // Folder for what has been played of a chunk; empty: a chunk that is cut off is begun anew. Workers may share it.
  std::filesystem::path keep{};
  std::int64_t keep_s = 60;   // between two times that it is written
  std::int64_t every_s = 60;  // between two lines of progress
};

// The result of a chunk is its games, as encode_policy_chunk() writes them. A chunk fails where the job's files are
// missing or have other contents; other workers may take it.
jobs::WorkerReport play_policy_for_queue(jobs::Queue& queue, PolicyWorkerOptions options, const std::stop_token& stop);

}  // namespace fuhyo::learn
