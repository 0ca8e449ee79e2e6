// Writes that survive a power cut (fsync), which the standard library lacks. Blocking; any thread.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace fuhyo::jobs {

// Creates or truncates the file and writes it; with `sync`, its bytes are on the disk afterwards.
std::error_code write_bytes(const std::filesystem::path& path, std::string_view bytes, bool sync);
// What was written to the file so far, by whomever, is on the disk afterwards.
std::error_code sync_bytes(const std::filesystem::path& path);
// The names in a folder are on the disk afterwards.
std::error_code sync_names(const std::filesystem::path& folder);

}  // namespace fuhyo::jobs
