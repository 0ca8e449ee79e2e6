// The files of rooms: DATA/rooms/NAME.toml, a room a file. Any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/core/effects.h"

namespace fuhyo::app {

// Bytes; a longer file is refused.
inline constexpr std::size_t kMostRoomFile = 64 * 1024;

struct RoomFiles {
  std::optional<core::RoomsRead> read;  // nothing: the folder is there, and cannot be read
  std::vector<std::string> faults;      // of those that say nothing, each with its file, and its line where it has one
};
// What the files say, by name. Without the folder there is none. A file with a fault says nothing at all.
RoomFiles read_room_files(const std::filesystem::path& data);

}  // namespace fuhyo::app
