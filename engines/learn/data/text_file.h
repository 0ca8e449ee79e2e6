// Text that may be compressed: plain, .xz, .gz, .bz2, .zst and whatever else libarchive knows, told by the content, not
// by the name. Reads files; any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

namespace fuhyo::learn {

// The whole text. An error names the file and what is wrong with it: it is not there, ends too early, is damaged, or is
// larger than `limit` bytes when unpacked.
std::expected<std::string, std::string> read_text_file(const std::filesystem::path& file,
                                                       std::size_t limit = std::size_t{1} << 30U);

}  // namespace fuhyo::learn
