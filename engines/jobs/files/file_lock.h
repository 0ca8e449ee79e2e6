// Keeps other processes from a file while one works with it, which the standard library knows nothing of. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <utility>

namespace fuhyo::jobs {

// Held until the object is gone or the process ends, however it ends: a kill leaves nothing behind. Machines that share
// a file over NFS keep each other away, too. A file system that knows no locks keeps nobody away.
class FileLock {
 public:
  // Makes the file if there is none. The error says that somebody has it, or why it cannot be opened, without its name.
  static std::expected<FileLock, std::string> take(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace fuhyo::jobs
