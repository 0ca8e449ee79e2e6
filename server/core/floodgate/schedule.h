// When floodgate rounds start: shogi-server's <game name>.conf files as they are, with additions of our own, and the
// next time by them. Values in, values out; the zone is an argument. "Floodgate rounds" in docs/operations/rounds.md is
// the manual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/floodgate/pairing.h"
#include "server/core/game_facts.h"
#include "server/core/ids.h"

namespace fuhyo::core::floodgate {

// Lines read of one file; what follows is left out with a warning.
inline constexpr std::size_t kMostScheduleLines = 1000;

struct Schedule {
  struct Weekly {  // "Sat 13:00"
    int weekday;   // 1 (Monday) to 7
    int minute;    // of the day, 0 to 1439
  };
  struct Every {    // "every 30 min 08:00-22:00": when clocks show from + k * minutes, both ends of the window included
    int minutes;    // 1 to 1440
    int from = 0;   // minute of the day at which counting starts
    int to = 1439;  // last minute, 0 to 1440; less than `from`: of the next day
  };
  enum class BuiltIn : std::uint8_t { none, half_hours, odd_hours };

  std::vector<Weekly> weekly;
  std::vector<Every> every;
  std::vector<std::int64_t> dates;    // "2026-12-24 19:00": seconds since 1970-01-01 00:00, local time
  std::optional<std::int64_t> until;  // no round starts later than this, in the same measure
  BuiltIn built_in = BuiltIn::none;   // shogi-server's own schedules of two groups
};

// The first time after `now` at which a round starts; nothing if there is none. Weekly times and the built-in schedules
// are decided exactly as shogi-server does, whichever way clocks are changed.
std::optional<Wall> next_time(const Schedule& schedule, Wall now, const TimeZone& zone);

// Everything that a file may set.
struct GroupSettings {
  RoundSettings round;  // pairing_factory, sacrifice, both_colours
  int max_moves = 256;  // 0: no limit
  int least_time_per_move_s = 0;
  std::size_t min_players = 2;            // a round with fewer waiting players is left out
  std::string buoy_set;                   // games start from the positions of this set; empty: from the usual one
  bool fill_with_builtin = false;         // a built-in player plays with the one who would sit out
  ResumeRule resume = ResumeRule::abort;  // of its games, see facts.h
  int grace_s = 0;
};

struct ScheduleWarning {
  std::size_t line;  // from 1
  std::string text;  // what is wrong with it, and what happens instead
};

struct ScheduleFile {
  Schedule schedule;
  GroupSettings settings;
  std::vector<ScheduleWarning> warnings;  // a bad line is left out; the others count
};
// Any bytes; `defaults` are what lines do not set.
ScheduleFile parse_schedule(std::string_view text, const GroupSettings& defaults = {});

// shogi-server's schedule of a group without a file: floodgate-900-0 every half an hour, floodgate-3600-0 every odd
// hour. Nothing for other groups: shogi-server holds no rounds of them.
std::optional<Schedule> default_schedule(std::string_view game_name);

}  // namespace fuhyo::core::floodgate
