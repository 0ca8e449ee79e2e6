// StopBySignal for Windows: Ctrl-C, Ctrl-Break and the end of a session come on a thread of the system's, which only
// sets an event.
#include <array>
#include <atomic>
#include <windows.h>

#include "engines/usi/process_stop.h"

namespace fuhyo::usi {
namespace {

std::atomic<HANDLE> g_event = nullptr;

// The next one ends the program: it finds no handler.
BOOL WINAPI on_control(DWORD) {
  const HANDLE event = g_event.load();
  return event != nullptr && ::SetEvent(event) != 0 ? TRUE : FALSE;
}

void restore() { ::SetConsoleCtrlHandler(on_control, FALSE); }

// A read of the standard input cannot be interrupted, so it has a thread that nobody waits for. The event outlives it.
DWORD WINAPI read_input(void* event) {
  std::array<char, 512> ignored;
  DWORD got = 0;
  while (::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), ignored.data(), ignored.size(), &got, nullptr) != 0 && got > 0) {
  }
  ::SetEvent(event);
  return 0;
}

}  // namespace

StopBySignal::StopBySignal(StopAt at) {
  g_event = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
  ::SetConsoleCtrlHandler(on_control, TRUE);
  thread_ = std::jthread([this, at](const std::stop_token& end) { wait(at, end); });
}

void StopBySignal::wait(StopAt at, const std::stop_token& end) {
  if (at == StopAt::signal_or_end_of_input) {
    if (const HANDLE reader = ::CreateThread(nullptr, 0, read_input, g_event.load(), 0, nullptr)) ::CloseHandle(reader);
  }
  ::WaitForSingleObject(g_event.load(), INFINITE);
  if (end.stop_requested()) return;
  restore();
  stop_.request_stop();
}

StopBySignal::~StopBySignal() {
  restore();
  thread_.request_stop();
  ::SetEvent(g_event.load());
  thread_.join();
  g_event = nullptr;  // the event itself is left to whoever still reads the input; there are few in a program's life
}

}  // namespace fuhyo::usi
