// Plans the time of a move. Pure arithmetic in milliseconds; any thread.
//
// What the rules charge: CSA servers count whole seconds, rounded down, so 1.9 s cost 1 s and anything below one second
// is free; the flag falls when the charged time reaches time + increment + byoyomi. Hence "whole seconds" below: when a
// search could end at 1.2 s it may as well go on until just before 2 s.
#pragma once

#include <cstdint>

#include "engines/shogi/types.h"
#include "engines/usi/options.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

struct TimeOptions {
  std::int64_t network_delay_ms = 120;       // of an ordinary move: subtracted from the whole second
  std::int64_t network_delay2_ms = 1'120;    // of a move that uses up the clock: the distance to the flag
  std::int64_t minimum_thinking_ms = 2'000;  // think at least so long where the clock allows it
  std::int64_t slow_mover = 100;             // per cent of the planned time
  std::int64_t max_moves = 0;                // the game ends after so many plies; 0: no limit
  bool whole_seconds = true;                 // the server rounds down to seconds
  bool ponder = false;                       // thinks on the opponent's time as well, about the move expected
  bool operator==(const TimeOptions&) const = default;
};

// Declares the options above under the names that YaneuraOu's users know; reads them back. Whether we ponder is a
// common option (common_options.h).
void add_time_options(OptionTable& table);
TimeOptions time_options(const OptionTable& table);

// A plan for one move, counted from the moment the own clock starts ("go", or "ponderhit").
class TimePlan {
 public:
  static TimePlan unlimited();
  // `ply`: moves made so far. Limits without any time give unlimited().
  static TimePlan make(const GoLimits& limits, shogi::Color us, int ply, const TimeOptions& options);

  bool limited() const { return limited_; }
  // The time of an average move; the search scales it by how stable its result is.
  std::int64_t optimum_ms() const { return optimum_ms_; }
  // The time for a mate search before the search: optimum_ms() / parts. Where that is little, up to twice as much,
  // because most mates are found within some ten milliseconds. Of a limited plan.
  std::int64_t for_mates_ms(std::int64_t parts) const;
  // The most time in any case.
  std::int64_t maximum_ms() const { return maximum_ms_; }
  // A search that has enough after `elapsed_ms` should stop at this time: not below the minimum, the rest of the whole
  // second taken along, and never beyond maximum_ms().
  std::int64_t stop_at_ms(std::int64_t elapsed_ms) const;

 private:
  TimePlan() = default;

  bool limited_ = false;
  bool whole_seconds_ = false;
  std::int64_t network_delay_ms_ = 0;
  std::int64_t minimum_ms_ = 0;
  std::int64_t optimum_ms_ = kForever;
  std::int64_t maximum_ms_ = kForever;
};

}  // namespace fuhyo::usi
