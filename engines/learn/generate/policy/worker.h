// Plays the games of batches of policy networks, chunk by chunk, for as long as a queue has some. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/jobs/queue.h"
#include "engines/jobs/worker.h"
#include "engines/learn/generate/policy/self_play.h"

namespace fuhyo::learn {

struct PolicyWorkerOptions {
  std::string name{};   // of no other worker
  std::string batch{};  // empty: any
  bool drain = false;   // end when nothing is left to be played
  PolicyHallOptions hall{};
  // Folder for what has been played of a chunk; empty: a chunk that is cut off is begun anew. Workers may share it.
  std::filesystem::path keep{};
  std::int64_t keep_s = 60;   // between two times that it is written
  std::int64_t every_s = 60;  // between two lines of progress
  std::function<void(std::string_view line)> say{};
};

// A chunk's result is its games as encode_policy_chunk() writes them. A job whose files are not here, or hold something
// else here, fails, and others may take it.
jobs::WorkerReport play_policy_for_queue(jobs::Queue& queue, const PolicyWorkerOptions& options,
                                         const std::stop_token& stop);

}  // namespace fuhyo::learn
