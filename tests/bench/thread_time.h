// Processor time: what else the machine does meanwhile counts only as far as it slows what runs.
#pragma once

#include <ctime>

namespace fuhyo::bench {

// Seconds that the calling thread had a core for.
inline double thread_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace fuhyo::bench
