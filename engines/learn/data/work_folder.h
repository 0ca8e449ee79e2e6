// The folders of long runs. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "engines/jobs/files/file_lock.h"

namespace fuhyo::learn {

// Creates the folder and its parents if needed. An error names it.
std::expected<void, std::string> make_folder(const std::filesystem::path& folder);
// Creates the folder and takes the lock `lock`, a file in it, which one process holds at a time. An error names it.
std::expected<jobs::FileLock, std::string> take_folder(const std::filesystem::path& folder, std::string_view lock);

}  // namespace fuhyo::learn
