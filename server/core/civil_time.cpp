#include "server/core/civil_time.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace fuhyo::core {
namespace {

constexpr std::int64_t kDay = 86400;

}  // namespace

std::int32_t TimeZone::offset_at(Wall wall) const {
  const auto after = std::ranges::upper_bound(spans, wall.us / kSecond, {}, &Span::since_s);
  return after == spans.begin() ? 0 : std::prev(after)->offset_s;
}

// Both directions by the usual era arithmetic on 400-year cycles of 146097 days, in years that begin with March.
std::int64_t days_from_civil(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const int shifted_month = month > 2 ? month - 3 : month + 9;
  const std::int64_t day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

std::int64_t days_from_civil(std::string_view day) {
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    std::from_chars(day.data() + at, day.data() + at + digits, value);
    return value;
  };
  return days_from_civil(number(0, 4), number(5, 2), number(8, 2));
}

CivilTime civil(std::int64_t local_s) {
  const std::int64_t days = (local_s >= 0 ? local_s : local_s - (kDay - 1)) / kDay;
  const auto second_of_day = static_cast<int>(local_s - days * kDay);
  const std::int64_t z = days + 719468;
  const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  const auto day_of_era = static_cast<int>(z - era * 146097);
  const int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int shifted_month = (5 * day_of_year + 2) / 153;  // March is 0
  const int month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const int year = static_cast<int>(era * 400) + year_of_era + (month <= 2 ? 1 : 0);
  return {year,
          month,
          day_of_year - (153 * shifted_month + 2) / 5 + 1,
          second_of_day / 3600,
          second_of_day / 60 % 60,
          second_of_day % 60};
}

CivilTime civil(Wall wall, const TimeZone& zone) { return civil(wall.us / kSecond + zone.offset_at(wall)); }

int iso_weekday(std::int64_t days) {
  const std::int64_t since_monday = (days + 3) % 7;  // 1970-01-01 was a Thursday
  return static_cast<int>(since_monday < 0 ? since_monday + 7 : since_monday) + 1;
}

Wall wall_at_local(std::int64_t local_s, const TimeZone& zone) {
  // The offset in force a day earlier and the one a day later: of the two instants that they give, the later one shows
  // the time wherever it is shown at all, and the earlier offset extrapolates where it is skipped.
  const auto at = [&](std::int64_t utc_s) { return zone.offset_at(Wall{utc_s * kSecond}); };
  const std::int32_t before = at(local_s - kDay);
  const std::int32_t after = at(local_s + kDay);
  const std::int64_t with_after = local_s - after;
  if (at(with_after) == after) {
    return Wall{with_after * kSecond};
  }
  return Wall{(local_s - before) * kSecond};
}

}  // namespace fuhyo::core
