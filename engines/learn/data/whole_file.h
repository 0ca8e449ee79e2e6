// Files that are read and replaced as a whole. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace fuhyo::learn {

// An error names the file.
std::expected<std::string, std::string> read_file(const std::filesystem::path& file);
// After success the file survives a power cut; after an error the old one is as it was, and nothing
// else is left.
std::expected<void, std::string> replace_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace fuhyo::learn
