// Samples out of games with the visits of their searches (hcpe3), as self-play of a policy network writes them. Reads
// files; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "engines/learn/policy/sample.h"

namespace fuhyo::learn::policy {

constexpr std::string_view kSearchesEnd = ".hcpe3";

struct SearchedSamples {
  std::vector<Sample> samples;              // their moves: the most visited ones
  std::vector<std::vector<Visits>> visits;  // of each
  std::uint64_t games = 0;
  std::uint32_t checksum = 0;  // tells contents apart
};

// Positions that have candidates with visits. Scores become ours (600 for dlshogi's 756). An error names the file.
std::expected<SearchedSamples, std::string> read_searches(const std::filesystem::path& file);

}  // namespace fuhyo::learn::policy
