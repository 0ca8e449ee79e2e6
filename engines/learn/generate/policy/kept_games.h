// What has been played of a chunk, in a file: whoever takes the chunk again goes on with it. Each is written and read
// as a whole; one that is damaged, or of another job, is as good as none. Any thread.
//
//   "FuhyoPK\n"; u32 version (1); u64 fingerprint of the job; u64 the first game's number; u64 number of games; of each
//   u8 whether it is over, u32 bytes, and so many of hcpe3; u32 CRC-32C of all that. Little-endian.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/generate/policy/game.h"

namespace fuhyo::learn {

// Replaces the file; if that fails, the old one stays.
std::expected<void, std::string> keep_games(const std::filesystem::path& file, std::string_view job,
                                            std::uint64_t first, std::span<const PolicyGame> games);
std::optional<std::vector<PolicyGame>> kept_games(const std::filesystem::path& file, std::string_view job,
                                                  std::uint64_t first, std::size_t games);

}  // namespace fuhyo::learn
