#include "server/core/floodgate/schedule.h"

#include <algorithm>

namespace fuhyo::core::floodgate {
namespace {

constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86400;  // in seconds
constexpr int kMinutesOfDay = 1440;

std::int64_t local_s(Wall wall, const TimeZone& zone) { return wall.us / kSecond + zone.offset_at(wall); }

// The earlier of the two, if there is one; `best` takes it.
void take_earlier(std::optional<Wall>& best, Wall candidate) {
  if (!best || candidate < *best) best = candidate;
}

// shogi-server: the day of this ISO week, a week later if that is not after now by the clock on the wall.
Wall next_weekly(const Schedule::Weekly& weekly, std::int64_t now_local, const TimeZone& zone) {
  const std::int64_t today = now_local / kDay;
  const std::int64_t monday = today - (iso_weekday(today) - 1);
  std::int64_t local = (monday + weekly.weekday - 1) * kDay + weekly.minute * kMinute;
  if (local <= now_local) local += 7 * kDay;
  return wall_at_local(local, zone);
}

bool falls_on(const Schedule::Every& every, int minute_of_day) {
  const auto after = [&](int minute) { return (minute - every.from + kMinutesOfDay) % kMinutesOfDay; };
  const int since = after(minute_of_day);
  const int length = every.to >= every.from ? every.to - every.from : after(every.to);
  return since <= length && since % every.minutes == 0;
}

// Minute by minute, so that an hour that is shown twice has its rounds twice, and one that is skipped has none:
// whichever way clocks are changed, rounds are as far apart as the line says or less, and never missed for an hour.
std::optional<Wall> next_every(const std::vector<Schedule::Every>& every, Wall now, const TimeZone& zone) {
  if (every.empty()) return std::nullopt;
  const std::int64_t first = (now.us / kSecond / kMinute + 1) * kMinute;
  for (std::int64_t at = first; at <= first + 3 * kDay; at += kMinute) {
    const Wall wall{at * kSecond};
    const auto minute = static_cast<int>(local_s(wall, zone) % kDay / kMinute);
    if (std::ranges::any_of(every, [minute](const auto& line) { return falls_on(line, minute); })) return wall;
  }
  return std::nullopt;
}

// shogi-server counts from the last full hour that the clock on the wall showed. Where that hour is over already
// (clocks were set back by half an hour) it gives a time past; we go on from there.
Wall next_built_in(Schedule::BuiltIn kind, Wall now, std::int64_t now_local, const TimeZone& zone) {
  const std::int64_t hour_began = now_local - now_local % kHour;
  const bool half_hours = kind == Schedule::BuiltIn::half_hours;
  Wall next;
  if (half_hours && now_local % kHour < kHour / 2) {
    next = wall_at_local(hour_began + kHour / 2, zone);
  } else {
    const std::int64_t hours = half_hours ? 1 : now_local / kHour % 24 % 2 + 1;
    next = wall_at_local(hour_began, zone);
    next.us += hours * kHour * kSecond;
  }
  while (next <= now) next.us += (half_hours ? kHour / 2 : 2 * kHour) * kSecond;
  return next;
}

}  // namespace

std::optional<Wall> next_time(const Schedule& schedule, Wall now, const TimeZone& zone) {
  const std::int64_t now_local = local_s(now, zone);
  std::optional<Wall> best = next_every(schedule.every, now, zone);
  for (const Schedule::Weekly& weekly : schedule.weekly) take_earlier(best, next_weekly(weekly, now_local, zone));
  for (const std::int64_t date : schedule.dates) {
    if (const Wall wall = wall_at_local(date, zone); wall > now) take_earlier(best, wall);
  }
  if (schedule.built_in != Schedule::BuiltIn::none) {
    take_earlier(best, next_built_in(schedule.built_in, now, now_local, zone));
  }
  if (best && schedule.until && local_s(*best, zone) > *schedule.until) return std::nullopt;
  return best;
}

std::optional<Schedule> default_schedule(std::string_view game_name) {
  Schedule schedule;
  if (game_name == "floodgate-900-0")
    schedule.built_in = Schedule::BuiltIn::half_hours;
  else if (game_name == "floodgate-3600-0")
    schedule.built_in = Schedule::BuiltIn::odd_hours;
  else
    return std::nullopt;
  return schedule;
}

}  // namespace fuhyo::core::floodgate
