// How late this machine meets its deadlines, and the time that a player therefore keeps before its flag. The worst
// delay of the recent past counts; it decays by halves. A value. Times are monotonic milliseconds.
#pragma once

#include <cstdint>

namespace fuhyo::host {

class Lateness {
 public:
  // Every machine is as late as that now and then; the lead that a player has before its flag anyway covers it.
  static constexpr std::int64_t kUsual_ms = 50;
  // Of one observation: who stood still for longer is not expected to in every move, and moves need their time.
  static constexpr std::int64_t kMost_ms = 1'000;
  // What was seen once may be followed by worse.
  static constexpr std::int64_t kReserveOfWorst = 2;
  // A machine that was busy in the last moves may be again; games of other hours say nothing.
  static constexpr std::int64_t kHalfLife_ms = 30'000;

  // Something happened so long after it was due. Negative values are ignored.
  void note(std::int64_t late_ms, std::int64_t now);
  // At most kMost_ms * kReserveOfWorst; 0 on a machine that is no later than usual.
  std::int64_t reserve_ms(std::int64_t now) const;

 private:
  std::int64_t worst_ms(std::int64_t now) const;

  std::int64_t worst_ms_ = 0;  // at seen_at_
  std::int64_t seen_at_ = 0;
};

}  // namespace fuhyo::host
