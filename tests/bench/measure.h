// What benchmarks share: time, its median, and the end of a program that cannot go on.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <expected>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fuhyo::bench {

using Clock = std::chrono::steady_clock;

// Seconds that the calling thread had a core for: what else the machine does meanwhile counts only as far as it slows
// what runs.
inline double thread_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}
inline double ms_since(Clock::time_point began) { return 1e3 * seconds_since(began); }
inline std::int64_t to_ns(Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

template <class Work>
double seconds_of(const Work& work) {
  const auto began = Clock::now();
  work();
  return seconds_since(began);
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

[[noreturn]] inline void fail(std::string_view why) {
  fmt::print(stderr, "{}\n", why);
  std::exit(1);
}

// The value; without one the program ends with what is wrong.
template <class Value, class Fault>
Value sure(std::expected<Value, Fault> value) {
  if (!value) {
    if constexpr (requires(Fault fault) { fault.why; })
      fail(value.error().why);
    else if constexpr (requires(Fault fault) { fault.text; })
      fail(value.error().text);
    else
      fail(value.error());
  }
  if constexpr (!std::is_void_v<Value>) return std::move(*value);
}

}  // namespace fuhyo::bench
