#include "server/core/civil_time.h"

#include <gtest/gtest.h>

namespace fuhyo::core {
namespace {

TEST(CivilTime, DaysGoToTheCalendarAndBack) {
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil("2026-11-22"), days_from_civil(2026, 11, 22));
  EXPECT_EQ(days_from_civil("2024/02/29"), days_from_civil(2024, 2, 29));
  EXPECT_EQ(days_from_civil(2000, 3, 1), 11017);
  EXPECT_EQ(days_from_civil(1969, 12, 31), -1);
  for (std::int64_t day = -200'000; day < 200'000; day += 13) {
    const CivilTime t = civil(day * 86400 + 86399);
    EXPECT_EQ(days_from_civil(t.year, t.month, t.day), day);
    EXPECT_EQ(t.hour * 10000 + t.minute * 100 + t.second, 235959);
  }
}

TEST(CivilTime, WeekdaysCountFromMonday) {
  EXPECT_EQ(iso_weekday(0), 4);  // 1970-01-01
  EXPECT_EQ(iso_weekday(days_from_civil(2026, 11, 22)), 7);
  EXPECT_EQ(iso_weekday(days_from_civil(2026, 11, 23)), 1);
  EXPECT_EQ(iso_weekday(-4), 7);
}

TEST(CivilTime, ATimeShownTwiceIsTheLaterAndASkippedOneCountsOn) {
  const TimeZone berlin{{{0, 3600}, {1774746000, 7200}, {1792890000, 3600}}};  // 2026
  const auto wall = [&](int month, int day, int hour, int minute) {
    return wall_at_local(days_from_civil(2026, month, day) * 86400 + hour * 3600 + minute * 60, berlin).us / kSecond;
  };
  EXPECT_EQ(wall(3, 29, 1, 59), 1774746000 - 60);
  EXPECT_EQ(wall(3, 29, 3, 0), 1774746000);
  EXPECT_EQ(wall(3, 29, 2, 30), 1774746000 + 1800) << "shown as 03:30";
  EXPECT_EQ(wall(10, 25, 2, 30), 1792890000 + 1800) << "the second 02:30";
  EXPECT_EQ(wall(10, 25, 1, 59), 1792890000 - 3600 - 60);
  EXPECT_EQ(wall(10, 25, 3, 0), 1792890000 + 3600);
}

TEST(CivilTime, WithoutSpansItIsUtc) { EXPECT_EQ(wall_at_local(1'800'000'000, {}).us, 1'800'000'000 * kSecond); }

}  // namespace
}  // namespace fuhyo::core
