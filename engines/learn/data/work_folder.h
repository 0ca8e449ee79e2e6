// Folders that long work keeps its files in. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "engines/jobs/files/file_lock.h"

namespace fuhyo::learn {

// With all above it; nothing, if it is there. An error names it.
std::expected<void, std::string> make_folder(const std::filesystem::path& folder);
// Makes it, and keeps every other process that asks for the same `lock`, a file in it, away. An error names the file.
std::expected<jobs::FileLock, std::string> take_folder(const std::filesystem::path& folder, std::string_view lock);

}  // namespace fuhyo::learn
