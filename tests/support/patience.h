// How long tests wait for what must come. Only a hang reaches the limit: no test depends on how fast the machine is, so
// a shorter one is written nowhere.
#pragma once

#include <chrono>
#include <thread>

namespace fuhyo::test {

inline constexpr std::chrono::seconds kPatience{300};

// Whether the condition held in the end; it is asked every few milliseconds. For what gives no sign of its own: a file,
// a process, a counter of another thread.
template <class Condition>
bool eventually(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace fuhyo::test
