// The calendar and the server's zone: wall time to year, month, day and back. Pure values; any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core {

// Offsets of the server's zone: from `since_s` (seconds since 1970, UTC) on, local time = UTC + offset_s. Ascending.
struct TimeZone {
  struct Span {
    std::int64_t since_s;
    std::int32_t offset_s;
  };
  std::vector<Span> spans;  // empty: UTC
  std::int32_t offset_at(Wall wall) const;
};

struct CivilTime {
  int year, month, day, hour, minute, second;  // month and day from 1
  auto operator<=>(const CivilTime&) const = default;
};

// Days since 1970-01-01 of a day of the Gregorian calendar, and back. `month` 1 to 12; a day past the end of its month
// counts on into the next one.
std::int64_t days_from_civil(int year, int month, int day);
// Of "2026-11-22", or with other signs between the numbers. `day` has ten characters at least.
std::int64_t days_from_civil(std::string_view day);
// The local time of `local_s` seconds since 1970-01-01 00:00:00 local time.
CivilTime civil(std::int64_t local_s);
CivilTime civil(Wall wall, const TimeZone& zone);
// 1 (Monday) to 7 (Sunday) of a day counted from 1970-01-01.
int iso_weekday(std::int64_t days);

// The instant at which clocks of the zone show `local_s` seconds since 1970-01-01 00:00:00. Of a time that is shown
// twice (clocks set back) the later one; a time that is skipped (clocks set forward) counts on with the offset before
// the change, so 02:30 of a skipped hour is 03:30. Ruby's Time.mktime decides so, and with it shogi-server.
Wall wall_at_local(std::int64_t local_s, const TimeZone& zone);

}  // namespace fuhyo::core
