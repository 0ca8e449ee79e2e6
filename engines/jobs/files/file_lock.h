// An exclusive lock of a file between processes, which the standard library lacks. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <utility>

namespace fuhyo::jobs {

// Held until the object is destroyed or the process ends, also by a kill. Works between machines over NFS. Has no
// effect on a file system without locks.
class FileLock {
 public:
  // Creates the file if there is none. The error, without the file's name: another process has it, or it cannot be
  // opened.
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
