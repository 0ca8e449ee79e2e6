// Generates a file of games of a policy network (hcpe3): generate/coordinator.h for those games.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/generate/coordinator.h"
#include "engines/learn/generate/policy/job.h"

namespace fuhyo::learn {

using PolicyGenerateOptions = GamesOptions<PolicyPlayJob>;  // the file is self-play.hcpe3

// The program as PolicyGenerateOptions::worker.
std::vector<std::string> policy_play_command(const std::string& program, std::uint32_t at_once, std::size_t cache_mb,
                                             const std::filesystem::path& folder);

// Does nothing if the file exists.
std::expected<Generated, std::string> generate(const PolicyGenerateOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
