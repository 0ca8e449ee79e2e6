// Time as a test wants it for a search: what is searched in a second does not depend on the machine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "engines/usi/engine.h"

namespace fuhyo::test {

// Each look at it takes `step_ms`, and the test lets further time pass. It must outlive the controls.
class SearchClock {
 public:
  explicit SearchClock(int step_ms = 1) : step_(step_ms) {}

  usi::SearchControl control(bool ponder = false) {
    return usi::SearchControl(ponder, [this] { return Time(std::chrono::milliseconds(time_ += step_)); });
  }
  void pass(std::chrono::milliseconds time) { time_ += time.count(); }

 private:
  using Time = usi::SearchControl::Clock::time_point;
  const int step_;
  std::atomic<std::int64_t> time_ = 0;
};

}  // namespace fuhyo::test
