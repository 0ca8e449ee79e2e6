// StopBySignal for Linux: the handler writes to an event that a thread waits for.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engines/usi/process_stop.h"

namespace fuhyo::usi {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};
constexpr std::uint64_t kOne = 1;

std::atomic<int> g_event = -1;
std::array<struct sigaction, kSignals.size()> g_before;

void restore() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &g_before[i], nullptr);
}

void raise_event() { [[maybe_unused]] const auto written = ::write(g_event.load(), &kOne, sizeof kOne); }

void on_signal(int) {
  const int error = errno;
  raise_event();
  errno = error;
}

// Whether the input has ended; what it holds is of no interest.
bool input_ended() {
  std::array<char, 512> ignored;
  const auto got = ::read(STDIN_FILENO, ignored.data(), ignored.size());
  return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

}  // namespace

StopBySignal::StopBySignal(StopAt at) {
  g_event = ::eventfd(0, EFD_CLOEXEC);
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &g_before[i]);
  thread_ = std::jthread([this, at](const std::stop_token& end) { wait(at, end); });
}

void StopBySignal::wait(StopAt at, const std::stop_token& end) {
  std::array<pollfd, 2> events = {{{g_event.load(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
  const nfds_t count = at == StopAt::signal_or_end_of_input ? 2 : 1;
  while (true) {
    if (::poll(events.data(), count, -1) < 0) continue;
    if (events[0].revents != 0) break;
    if (count == 2 && events[1].revents != 0 && input_ended()) break;
  }
  if (end.stop_requested()) return;
  restore();
  stop_.request_stop();
}

StopBySignal::~StopBySignal() {
  restore();
  thread_.request_stop();
  raise_event();
  thread_.join();
  ::close(g_event.exchange(-1));
}

}  // namespace fuhyo::usi
