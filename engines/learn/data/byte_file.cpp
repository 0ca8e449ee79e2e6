#include "engines/learn/data/byte_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;

constexpr std::size_t kAtOnce = 1 << 18;

}  // namespace

std::expected<ByteFile, std::string> ByteFile::open(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return Failure(fmt::format("{}: there is no such file", path.string()));
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) == 0) {
    return Failure(fmt::format("{}: is empty", path.string()));
  }
  if (fs::is_directory(path, error)) return Failure(fmt::format("{}: is a folder", path.string()));
  std::ifstream in(path, std::ios::binary);
  if (!in) return Failure(fmt::format("{}: cannot be read", path.string()));
  return ByteFile(path, std::move(in));
}

std::expected<record::ByteView, std::string> ByteFile::peek(std::size_t at_least) {
  const std::size_t left = buffer_.size() - begin_;
  if (left < at_least && in_.good()) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
    buffer_.resize(std::max(at_least, kAtOnce));
    in_.read(reinterpret_cast<char*>(buffer_.data() + left), static_cast<std::streamsize>(buffer_.size() - left));
    if (in_.bad()) return Failure(at_offset("cannot be read"));
    buffer_.resize(left + static_cast<std::size_t>(in_.gcount()));
  }
  return record::ByteView(buffer_).subspan(begin_);
}

void ByteFile::consume(std::size_t count) {
  begin_ += count;
  offset_ += count;
}

std::string ByteFile::at_offset(std::string_view what) const {
  return fmt::format("{}: offset {}: {}", path_.string(), offset_, what);
}

}  // namespace fuhyo::learn
