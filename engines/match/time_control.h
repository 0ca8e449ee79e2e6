// Time controls, and the clock of one side. Pure; one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/shogi/types.h"
#include "engines/usi/values.h"

namespace fuhyo::match {

// Clock and search limits. Each may be combined with nodes or depth ("at most"). Without a clock only the patience of
// the match limits the time.
struct TimeControl {
  std::optional<std::int64_t> time_ms{}, inc_ms{}, byoyomi_ms{}, movetime_ms{};
  std::optional<std::int64_t> nodes{};
  std::optional<int> depth{};
  bool operator==(const TimeControl&) const = default;

  bool has_clock() const { return time_ms || inc_ms || byoyomi_ms; }
};

// "time=2000,inc=100", "time=60000,byoyomi=1000", "byoyomi=500", "movetime=100", "nodes=5000", "depth=6": milliseconds,
// any order, joined by commas. Also seconds as cutechess writes them: "2+0.1", "60" (main time, increment).
// Errors: unknown or repeated words, malformed or non-positive numbers, increment together with byoyomi, movetime
// together with a clock, an empty text.
std::expected<TimeControl, std::string> parse_time_control(std::string_view text);
// As parse_time_control() reads it: words in the order above.
std::string to_text(const TimeControl& control);

// The clock of one side. The increment is added before the move, as USI engines are told (GoLimits).
class Clock {
 public:
  explicit Clock(const TimeControl& control) : control_(control), left_us_(control.time_ms.value_or(0) * 1000) {}

  // The time left as sent to the engine: whole milliseconds, rounded down.
  std::int64_t left_ms() const { return left_us_ / 1000; }
  // The time for this move, microseconds; nothing if it has no clock.
  std::optional<std::int64_t> budget_us() const;
  // Charges a move. Returns the time over the budget (0 or less: in time); nothing if it has no clock.
  std::optional<std::int64_t> spend(std::int64_t spent_us);

 private:
  TimeControl control_;
  std::int64_t left_us_;
};

// The limits that are sent to `mover` with "go".
usi::GoLimits go_limits(const std::array<TimeControl, 2>& controls, const std::array<Clock, 2>& clocks,
                        shogi::Color mover);

}  // namespace fuhyo::match
