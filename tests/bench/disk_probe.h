// What a sync costs on this disk right now: figures of a durable server mean little without it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace fuhyo::bench {

struct Percentiles {
  double p50_ms = 0, p90_ms = 0, p99_ms = 0, max_ms = 0;
};

inline Percentiles percentiles(std::vector<double> values_ms) {
  if (values_ms.empty()) return {};
  std::sort(values_ms.begin(), values_ms.end());
  const auto at = [&](double share) {
    return values_ms[std::min(values_ms.size() - 1,
                              static_cast<std::size_t>(share * static_cast<double>(values_ms.size())))];
  };
  return {.p50_ms = at(0.5), .p90_ms = at(0.9), .p99_ms = at(0.99), .max_ms = values_ms.back()};
}

// Overwrites 4 KiB of a file in `folder` and calls fdatasync, `count` times. Empty where the folder cannot be written.
inline std::vector<double> probe_fdatasync(const std::string& folder, int count) {
  using Clock = std::chrono::steady_clock;
  const std::string path = fmt::format("{}/.disk-probe-{}", folder, getpid());
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return {};
  unlink(path.c_str());
  std::vector<double> times_ms;
  const std::vector<char> page(4096, 'x');
  for (int i = -1; i < count; ++i) {  // the first one allocates
    const auto began = Clock::now();
    if (pwrite(fd, page.data(), page.size(), 0) < 0 || fdatasync(fd) != 0) break;
    if (i >= 0) times_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
  }
  close(fd);
  return times_ms;
}

}  // namespace fuhyo::bench
