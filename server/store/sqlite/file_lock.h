// One process at a time: a lock on a file that the kernel lets go when its holder ends, however it ends.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace fuhyo::store {

class FileLock {
 public:
  // Creates the file if need be and writes the process id into it. Never waits; the error says who holds it.
  static std::expected<FileLock, std::string> take(const std::string& path);

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

}  // namespace fuhyo::store
