// Preloaded: a disk whose syncs take long, and a wall clock that jumps (control.h). What game clocks go by, the
// monotonic clock, is left alone.
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>

#include "tests/system/reliability/shims/control.h"

namespace {

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

void sleep_as_told() {
  const auto* told = fuhyo::shim::control();
  const std::int64_t ms = told == nullptr ? 0 : told->sync_ms.load();
  if (ms <= 0) return;
  const timespec span{.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1'000'000};
  ::nanosleep(&span, nullptr);
}

std::int64_t ahead_us() {
  const auto* told = fuhyo::shim::control();
  return told == nullptr ? 0 : told->wall_us.load();
}

}  // namespace

extern "C" {

int fsync(int fd) {
  static const auto real = next<int (*)(int)>("fsync");
  sleep_as_told();
  return real(fd);
}

int fdatasync(int fd) {
  static const auto real = next<int (*)(int)>("fdatasync");
  sleep_as_told();
  return real(fd);
}

int clock_gettime(clockid_t clock, timespec* out) noexcept {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int result = real(clock, out);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  const std::int64_t us = out->tv_nsec / 1000 + ahead_us();
  out->tv_sec += us / 1'000'000;
  const std::int64_t rest = us % 1'000'000;
  out->tv_nsec = (rest < 0 ? rest + 1'000'000 : rest) * 1000;
  if (rest < 0) --out->tv_sec;
  return result;
}

int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  *out = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return result;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
