// The few things that record files need of a file system, with every failure as a value. Blocking; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::store {

// "cannot write PATH: No space left on device", or nothing.
using DiskResult = std::expected<void, std::string>;

// Who may read and write a file that is made, whatever the umask says: 0640. Nothing: whom the umask lets.
using FileMode = std::optional<std::uint32_t>;

// A folder that is made may be entered by all who may read its files; an existing one stays as it is.
DiskResult make_folder(const std::filesystem::path& folder, FileMode mode = {});
// The file is `text` afterwards, whatever it was; not synced.
DiskResult write_file(const std::filesystem::path& path, std::string_view text, FileMode mode = {});
// Fails if there is no such file: somebody took it away, and its beginning with it.
DiskResult append_file(const std::filesystem::path& path, std::string_view text);
// Whole and durable, or as before: temporary file, fsync, rename. The folder is for sync_folder().
DiskResult replace_file(const std::filesystem::path& path, std::string_view text, FileMode mode = {});
// The same for one of many: whole or as before for its readers, and durable after sync_disk().
DiskResult put_file(const std::filesystem::path& path, std::string_view text, FileMode mode = {});
DiskResult sync_disk(const std::filesystem::path& folder);  // everything on the file system of this folder
DiskResult sync_file(const std::filesystem::path& path);
DiskResult sync_folder(const std::filesystem::path& folder);
DiskResult truncate_file(const std::filesystem::path& path, std::uint64_t size);
// The bytes from `offset` on; empty for a file that does not exist or is shorter.
std::expected<std::string, std::string> read_file(const std::filesystem::path& path, std::uint64_t offset = 0);
std::uint64_t file_size_or_zero(const std::filesystem::path& path);

}  // namespace fuhyo::store
