// Files as Linux makes them durable: fsync of a file, and of its folder.
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

#include "engines/jobs/files/durable_file.h"

namespace fuhyo::jobs {
namespace {

constexpr mode_t kFileMode = 0664;  // people of a group share a queue, if their umask says so

std::error_code last_error() { return {errno, std::generic_category()}; }

std::error_code write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return last_error();
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace

std::error_code write_bytes(const std::filesystem::path& path, std::string_view bytes, bool sync) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode);
  if (fd < 0) return last_error();
  std::error_code error = write_all(fd, bytes);
  if (!error && sync && ::fsync(fd) != 0) error = last_error();
  // A file system over a network may say only now that its disk is full.
  if (::close(fd) != 0 && !error) error = last_error();
  return error;
}

std::error_code sync_bytes(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return last_error();
  std::error_code error;
  if (::fsync(fd) != 0) error = last_error();
  ::close(fd);
  return error;
}

std::error_code sync_names(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return last_error();
  std::error_code error;
  // Some network file systems know no fsync of folders: their servers keep names without it.
  if (::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) error = last_error();
  ::close(fd);
  return error;
}

}  // namespace fuhyo::jobs
