// How much a test's own thread has worked: time limits that hold however busy the machine is.
#pragma once

#include <chrono>
#include <ctime>

namespace fuhyo::test {

// Processor time of the calling thread so far.
inline std::chrono::nanoseconds thread_work() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace fuhyo::test
