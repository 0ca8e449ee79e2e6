// When a vote asks, asks again and must answer, counted from the moment the own clock starts. Pure; any thread.
#pragma once

#include <cstdint>

#include "engines/usi/time_manager.h"

namespace fuhyo::mix {

struct Schedule {
  std::int64_t first_ms = usi::kForever;  // members are to have answered the first question
  std::int64_t end_ms = usi::kForever;    // cross-examination is over
  std::int64_t late_ms = usi::kForever;   // who has not answered is left out if another one has
  std::int64_t last_ms = usi::kForever;   // the move is played, whatever is missing

  bool limited() const { return last_ms != usi::kForever; }
  // `share_percent` of the move's time is for cross-examination. What was thought on the opponent's time saves own.
  static Schedule make(const usi::TimePlan& plan, int share_percent, std::int64_t pondered_ms = 0);
};

}  // namespace fuhyo::mix
