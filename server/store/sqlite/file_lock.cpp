#include "server/store/sqlite/file_lock.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuhyo::store {
namespace {

std::string holder(int fd) {
  std::array<char, 32> text{};
  const ssize_t size = pread(fd, text.data(), text.size(), 0);
  const std::string_view digits(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return digits.empty() ? "another process" : fmt::format("process {}", digits.substr(0, digits.find('\n')));
}

// The former holder may have deleted the file since it was opened: then it locks nothing.
bool is_gone(int fd, const std::string& path) {
  struct stat locked{}, there{};
  return fstat(fd, &locked) != 0 || stat(path.c_str(), &there) != 0 || locked.st_ino != there.st_ino ||
         locked.st_dev != there.st_dev;
}

}  // namespace

std::expected<FileLock, std::string> FileLock::take(const std::string& path) {
  FileLock lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.fd_ < 0) return std::unexpected(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  if (flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::unexpected(fmt::format("is in use by {}", holder(lock.fd_)));
    return std::unexpected(fmt::format("cannot lock {}: {}", path, std::strerror(errno)));
  }
  if (is_gone(lock.fd_, path)) return std::unexpected("was in use by a process that has just ended");
  // Only for the message of the next process; the lock holds without it.
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(lock.fd_, 0) == 0) [[maybe_unused]]
    const ssize_t written = pwrite(lock.fd_, pid.data(), pid.size(), 0);
  return lock;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace fuhyo::store
