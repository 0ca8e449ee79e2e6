// A host's file that is read whole. Any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>

namespace fuhyo::app {

// An error says what is wrong, without the path: it is missing, a folder or a device, or has more than `most` bytes.
inline std::expected<std::string, std::string> read_host_file(const std::filesystem::path& path, std::size_t most) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);  // refuses folders and devices
  if (error) return std::unexpected(error.message());
  if (size > most) return std::unexpected(fmt::format("has more than {} bytes", most));
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in) return std::unexpected("cannot be read");
  return text;
}

}  // namespace fuhyo::app
