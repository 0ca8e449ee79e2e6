#include "engines/learn/data/whole_file.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "engines/jobs/files/durable_file.h"

namespace fuhyo::learn {

std::expected<std::string, std::string> read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) return std::unexpected(fmt::format("{}: cannot be read", file.string()));
  return bytes;
}

std::expected<void, std::string> replace_file(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::path fresh = file;
  fresh += ".new";
  std::error_code error = jobs::write_bytes(fresh, bytes, true);
  if (!error) std::filesystem::rename(fresh, file, error);
  if (!error) error = jobs::sync_names(file.has_parent_path() ? file.parent_path() : ".");
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  return std::unexpected(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

}  // namespace fuhyo::learn
