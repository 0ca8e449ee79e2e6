// The games of an unfinished chunk in a file, from which the next worker of the chunk resumes. A file is written and
// read as a whole; one that is damaged, or of another job, counts as missing. Any thread.
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
std::expected<void, std::string> save_games(const std::filesystem::path& file, std::string_view job,
                                            std::uint64_t first, std::span<const PolicyGame> games);
std::optional<std::vector<PolicyGame>> read_saved_games(const std::filesystem::path& file, std::string_view job,
                                                        std::uint64_t first, std::size_t games);

}  // namespace fuhyo::learn
