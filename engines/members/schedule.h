// The times of a move that several engines decide, counted from the start of the own clock. Pure; any thread.
#pragma once

#include <cstdint>

#include "engines/usi/time_manager.h"

namespace fuhyo::members {

struct Schedule {
  std::int64_t first_ms = usi::kForever;  // end of the first question to the members
  std::int64_t end_ms = usi::kForever;    // end of a second one
  std::int64_t late_ms = usi::kForever;   // a member without an answer is left out if another one has answered
  std::int64_t last_ms = usi::kForever;   // the move is played in any case

  bool limited() const { return last_ms != usi::kForever; }
  // `share_percent` of the move's time is for a second question. Time spent pondering is saved.
  static Schedule make(const usi::TimePlan& plan, int share_percent, std::int64_t pondered_ms = 0);
};

}  // namespace fuhyo::members
