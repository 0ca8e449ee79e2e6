// The clocks of one game, each colour's by its own rule. Pure arithmetic on elapsed times: one predicate decides a late
// move and a fallen flag. Source: CSA protocol 1.2.1 "Time" and shogi-server (PROTOCOL.md, "Time").
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engines/shogi/types.h"
#include "server/core/games/game_terms.h"

namespace fuhyo::core {

class Clock {
 public:
  explicit Clock(const TimeRule& both) : Clock(both, both) {}
  Clock(const TimeRule& black, const TimeRule& white)
      : rules_{black, white}, remaining_s_{black.total_s, white.total_s} {}

  // The T value of a move of `side` that came `elapsed_us` after its turn began: whole seconds rounded down (whole
  // units for a stop-watch), at least Least_Time_Per_Move. Negative times (a line sent ahead of its turn) count as 0.
  std::int32_t charge_s(shogi::Color side, std::int64_t elapsed_us) const;
  // Whether that charge loses: nothing would remain, byoyomi and increment included.
  bool is_late(shogi::Color side, std::int32_t charge_s) const;
  // The elapsed time at which is_late() becomes true; kNever where time is unlimited.
  std::int64_t flag_us(shogi::Color side) const;
  // Books a move that was in time; the increment is credited for the move being made.
  void spend(shogi::Color side, std::int32_t charge_s);

  std::int32_t remaining_s(shogi::Color side) const { return remaining_s_[side]; }
  const TimeRule& rule(shogi::Color side) const { return rules_[side]; }

  static constexpr std::int64_t kNever = INT64_MAX;

 private:
  std::int32_t allowance_s(shogi::Color side) const;  // first charge that is late

  std::array<TimeRule, 2> rules_;  // of Black and White
  std::array<std::int32_t, 2> remaining_s_;
};

// "late by 0.8 s"
std::string describe_lateness(std::int64_t elapsed_us, std::int64_t flag_us);

}  // namespace fuhyo::core
