// Generates a file of games of a policy network (hcpe3): generate/coordinator.h for those games.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/generate/coordinator.h"
#include "engines/learn/generate/policy/job.h"

namespace fuhyo::learn {

struct PolicyGenerateOptions {
  PolicyPlayJob job;  // with fingerprints
  GameRange games;
  std::uint64_t per_chunk = 256;
  std::filesystem::path folder;  // gets self-play.hcpe3, and the queue meanwhile
  int processes = 1;             // none: others work for the queue
  std::vector<std::string> worker;
  std::int64_t every_s = 30;  // between two lines of progress
  std::function<void(std::string_view line)> say{};
};

// The program as PolicyGenerateOptions::worker.
std::vector<std::string> policy_play_command(const std::string& program, std::uint32_t at_once, std::size_t cache_mb,
                                             const std::filesystem::path& folder);

// Does nothing if the file exists.
std::expected<Generated, std::string> generate(const PolicyGenerateOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
