// What /proc says about a server: memory, threads, descriptors, processor time.
#pragma once

#include <cstdint>
#include <optional>

namespace fuhyo::bench {

struct ServerProcess {
  std::int64_t rss_kib = 0, peak_kib = 0, threads = 0, descriptors = 0;
  double cpu_s = 0;
};

// Empty for pid 0 or a process that is not there.
std::optional<ServerProcess> look_at(int pid);

}  // namespace fuhyo::bench
