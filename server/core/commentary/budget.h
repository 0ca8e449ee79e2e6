// What a commentator may spend: calls a minute, calls and tokens a day (of UTC). Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "server/core/ids.h"

namespace fuhyo::core {

class Budget {
 public:
  struct Limits {
    int calls_a_minute = 6, calls_a_day = 1'000;
    std::int64_t tokens_a_day = 500'000;
  };
  explicit Budget(const Limits& limits) : limits_(limits) {}

  // When the next call may be made: now, or later.
  Wall next(Wall now);
  void call(Wall now);
  void spend(std::int64_t tokens) { tokens_ += tokens; }

  // What has been spent on its day, for the next start: "20419 17 5120".
  std::string text() const;
  void go_on(std::string_view text);  // other texts are passed over

 private:
  Limits limits_;
  std::deque<Wall> calls_;  // of the last minute
  std::int64_t day_ = 0, calls_of_day_ = 0, tokens_ = 0;
};

}  // namespace fuhyo::core
