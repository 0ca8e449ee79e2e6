// The clock of one turn: it stops and runs on by pauses. A value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core {

class TurnClock {
 public:
  // Begins another turn, of which so much is used already; the clock does not run yet.
  void begin(std::int64_t used_us = 0) {
    since_.reset();
    ran_.clear();
    if (used_us > 0) ran_.emplace_back(Instant{kLongAgo_us - used_us}, Instant{kLongAgo_us});
  }
  bool runs() const { return since_.has_value(); }
  std::optional<Instant> since() const { return since_; }  // when it last ran on, while it runs
  void run(Instant from) { since_ = from; }
  void stop(Instant at) {
    if (since_) ran_.emplace_back(*since_, at);
    since_.reset();
  }

  // Microseconds for which it had run at `at`, which may be in the past. A line that came while it was stopped counts
  // as of the moment when it stopped.
  std::int64_t elapsed_us(Instant at) const {
    std::int64_t sum = since_ ? std::max<std::int64_t>(at - *since_, 0) : 0;
    for (const auto& [from, to] : ran_) sum += std::clamp<std::int64_t>(at - from, 0, to - from);
    return sum;
  }
  // The same for all of the turn before it ran on.
  std::int64_t used_us() const {
    std::int64_t sum = 0;
    for (const auto& [from, to] : ran_) sum += to - from;
    return sum;
  }

 private:
  static constexpr std::int64_t kLongAgo_us = INT64_MIN / 4;  // before anything that is said

  std::optional<Instant> since_;
  std::vector<std::pair<Instant, Instant>> ran_;  // from, to
};

}  // namespace fuhyo::core
