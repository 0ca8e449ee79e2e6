#include "server/store/shogi_server/local_time.h"

#include <chrono>
#include <fmt/format.h>

#include "engines/shogi/number.h"

namespace fuhyo::store {
namespace {

using namespace std::chrono;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

// The number that these characters are; -1 if they are something else.
int number(std::string_view digits) { return shogi::number_of<int>(digits).value_or(-1); }

// Seconds since 1970 as if the zone were UTC.
std::optional<std::int64_t> parse_seconds(std::string_view text) {
  constexpr std::string_view kPattern = "dddd/dd/dd dd:dd:dd";
  if (text.size() != kPattern.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kPattern[i] == 'd' ? !digit : text[i] != kPattern[i]) return std::nullopt;
  }
  const year_month_day day{year(number(text.substr(0, 4))), month(static_cast<unsigned>(number(text.substr(5, 2)))),
                           std::chrono::day(static_cast<unsigned>(number(text.substr(8, 2))))};
  const int hour = number(text.substr(11, 2)), minute = number(text.substr(14, 2)), second = number(text.substr(17, 2));
  if (!day.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return duration_cast<seconds>(sys_days(day).time_since_epoch()).count() + std::int64_t{hour} * 3600 +
         std::int64_t{minute} * 60 + second;
}

}  // namespace

std::optional<core::Wall> parse_local_time(std::string_view text, const core::TimeZone& zone) {
  const auto local_s = parse_seconds(trimmed(text));
  if (!local_s) return std::nullopt;
  return core::wall_at_local(*local_s, zone);
}

std::string format_local_time(core::Wall wall, const core::TimeZone& zone) {
  const sys_seconds at = floor<seconds>(sys_time<microseconds>(microseconds(wall.us))) + seconds(zone.offset_at(wall));
  const year_month_day day(floor<days>(at));
  const hh_mm_ss time(at - floor<days>(at));
  return fmt::format("{:04}/{:02}/{:02} {:02}:{:02}:{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

}  // namespace fuhyo::store
