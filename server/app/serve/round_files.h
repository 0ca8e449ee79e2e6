// The files of floodgate groups and sets of positions: DATA/<game name>.conf and DATA/positions/<file>. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/floodgate/group.h"

namespace fuhyo::app {

// Bytes; a longer file is refused.
inline constexpr std::size_t kMostRoundFile = 1 << 20;

// "floodgate-900-5F". Anything else is no floodgate group; the error says why.
std::expected<void, std::string> check_group_name(std::string_view name);

struct GroupFile {
  core::floodgate::Group group;
  std::vector<std::string> warnings;  // lines left out, each with its file and number
};
// The group by its file; without one by shogi-server's default schedule, or with rounds by hand only. `defaults` are
// what the file does not set. The error is that of a file that is there and cannot be read.
std::expected<GroupFile, std::string> read_group(const std::filesystem::path& data, const std::string& game_name,
                                                 const core::floodgate::GroupSettings& defaults);

// `file` is a name in the folder DATA/positions, no path.
std::expected<std::string, std::string> read_positions(const std::filesystem::path& data, std::string_view file);

}  // namespace fuhyo::app
