// Accounts of an old server, out of its players.yaml. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::app {

// Bytes; a longer file is refused.
inline constexpr std::size_t kMostPlayersFile = 64 << 20;

// The ids in it, "name+<32 hexadecimal digits>". `file` is a name in the folder DATA, no path. The error names it.
std::expected<std::vector<std::string>, std::string> read_player_ids(const std::filesystem::path& data,
                                                                     std::string_view file);

}  // namespace fuhyo::app
