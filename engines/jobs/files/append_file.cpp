#include "engines/jobs/files/append_file.h"

#include <cerrno>
#include <cstring>

#include "engines/jobs/files/durable_file.h"

namespace fuhyo::jobs {

std::expected<AppendFile, std::string> AppendFile::open(const std::filesystem::path& path) {
  AppendFile opened;
  opened.path_ = path;
  opened.file_.reset(std::fopen(path.string().c_str(), "ab"));
  if (!opened.file_) return std::unexpected(std::strerror(errno));
  std::setvbuf(opened.file_.get(), nullptr, _IONBF, 0);
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) opened.size_ = std::filesystem::file_size(path, error);
  if (error) return std::unexpected(error.message());
  return opened;
}

std::expected<void, std::string> AppendFile::append(std::span<const std::byte> piece) {
  errno = 0;
  if (std::fwrite(piece.data(), 1, piece.size(), file_.get()) == piece.size()) {
    size_ += piece.size();
    return {};
  }
  const std::string why = std::strerror(errno);
  std::clearerr(file_.get());
  std::error_code ignored;
  std::filesystem::resize_file(path_, size_, ignored);
  return std::unexpected(why);
}

std::expected<void, std::string> AppendFile::sync() {
  if (const std::error_code error = sync_bytes(path_)) return std::unexpected(error.message());
  return {};
}

}  // namespace fuhyo::jobs
