// A disk that is full, for this process: while it lives, no file grows beyond so many bytes.
#pragma once

#include <csignal>
#include <sys/resource.h>

namespace fuhyo::test {

class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit narrow{.rlim_cur = bytes, .rlim_max = former_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &narrow);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &former_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit former_{};
  void (*handler_)(int);
};

}  // namespace fuhyo::test
