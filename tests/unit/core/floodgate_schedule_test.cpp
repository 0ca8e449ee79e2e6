#include <fstream>
#include <iterator>

#include "server/core/floodgate/schedule.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::core::floodgate {
namespace {

const TimeZone kJapan{{{0, 9 * 3600}}};
// Central Europe in 2026: clocks go forward on 29 March at 02:00, back on 25 October at 03:00.
const TimeZone kBerlin{{{0, 3600}, {1774746000, 7200}, {1792890000, 3600}}};

// "2026-01-01 10:00:00"
Wall at(const char* text, const TimeZone& zone) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  EXPECT_EQ(std::sscanf(text, "%d-%d-%d %d:%d:%d", &year, &month, &day, &hour, &minute, &second), 6) << text;
  return wall_at_local(days_from_civil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second, zone);
}

std::string shown(std::optional<Wall> wall, const TimeZone& zone) {
  if (!wall) return "never";
  const CivilTime t = civil(*wall, zone);
  return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02}", t.year, t.month, t.day, t.hour, t.minute, t.second);
}

std::string next(std::string_view text, Wall now, const TimeZone& zone = kJapan) {
  return shown(next_time(parse_schedule(text).schedule, now, zone), zone);
}

testing::Matcher<ScheduleWarning> warning(std::size_t line, const char* text) {
  return AllOf(Field(&ScheduleWarning::line, line), Field(&ScheduleWarning::text, HasSubstr(text)));
}

// ---- what shogi-server reads ----

// When the next round is, by a schedule at a local time.
struct NextTime {
  const char *schedule, *now, *next;
  const TimeZone& zone = kJapan;
};

class NextTimes : public testing::TestWithParam<std::pair<const char*, std::vector<NextTime>>> {};

TEST_P(NextTimes, AreThose) {
  for (const NextTime& row : GetParam().second) {
    EXPECT_EQ(next(row.schedule, at(row.now, row.zone), row.zone), row.next) << row.schedule << " at " << row.now;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, NextTimes,
                         testing::ValuesIn(std::vector<std::pair<const char*, std::vector<NextTime>>>{
                             {"TheTimeItselfIsOver",
                              {{"Thu 22:00", "2010-06-10 21:59:59", "2010-06-10 22:00:00"},
                               {"Thu 22:00", "2010-06-10 22:00:00", "2010-06-17 22:00:00"}}},
                             {"EverySoManyMinutes",
                              {{"every 30 min", "2026-01-01 10:00:00", "2026-01-01 10:30:00"},
                               {"every 30 min", "2026-01-01 10:29:59", "2026-01-01 10:30:00"},
                               {"every 30 min", "2026-12-31 23:45:00", "2027-01-01 00:00:00"},
                               {"every 2 hours", "2026-01-01 10:00:00", "2026-01-01 12:00:00"},
                               {"every 24 hours", "2026-01-01 10:00:00", "2026-01-02 00:00:00"}}},
                             {"AWindowOfHoursWithBothEnds",  // counted from the first; 22:15 would be too late
                              {{"every 45 min 08:00-22:00", "2026-01-01 03:00:00", "2026-01-01 08:00:00"},
                               {"every 45 min 08:00-22:00", "2026-01-01 08:00:00", "2026-01-01 08:45:00"},
                               {"every 45 min 08:00-22:00", "2026-01-01 21:30:00", "2026-01-02 08:00:00"},
                               {"every 1 hour 08:00-22:00", "2026-01-01 21:00:00", "2026-01-01 22:00:00"}}},
                             {"AWindowOverMidnight",
                              {{"every 1 hour 22:30-01:30", "2026-01-01 23:30:00", "2026-01-02 00:30:00"},
                               {"every 1 hour 22:30-01:30", "2026-01-02 01:30:00", "2026-01-02 22:30:00"},
                               {"every 8 hours 08:00-24:00", "2026-01-01 17:00:00", "2026-01-02 00:00:00"}}},
                             {"DatesOnce",
                              {{"2026-12-24 19:00\n2026-12-31 9:30", "2026-11-01 00:00:00", "2026-12-24 19:00:00"},
                               {"2026-12-24 19:00\n2026-12-31 9:30", "2026-12-24 19:00:00", "2026-12-31 09:30:00"},
                               {"2026-12-24 19:00\n2026-12-31 9:30", "2026-12-31 09:30:00", "never"}}},
                             {"UntilTheEndOfEverything",
                              {{"every 1 hour\nuntil 2026-01-01 12:00", "2026-01-01 11:00:00", "2026-01-01 12:00:00"},
                               {"every 1 hour\nuntil 2026-01-01 12:00", "2026-01-01 12:00:00", "never"},
                               {"every 1 hour\nuntil 2026-01-01", "2026-01-01 22:59:00", "2026-01-01 23:00:00"},
                               {"Fri 00:00\nuntil 2026-01-01", "2026-01-01 23:00:00", "never"}}},
                             {"SkippedTimesWhereClocksGoForward",  // a weekly time as shogi-server
                              {{"every 30 min", "2026-03-29 01:30:00", "2026-03-29 03:00:00", kBerlin},
                               {"Sun 02:30", "2026-03-28 00:00:00", "2026-03-29 03:30:00", kBerlin}}}}),
                         [](const auto& rows) { return rows.param.first; });

TEST(Schedule, AMicrosecondBeforeTheTimeItIsStillToCome) {
  Wall almost = at("2010-06-10 22:00:00", kJapan);
  --almost.us;
  EXPECT_EQ(next("Thu 22:00", almost), "2010-06-10 22:00:00");
}

TEST(Schedule, CommentsAndBlankLinesSayNothing) {
  const ScheduleFile file = parse_schedule("# Thu 10:00\r\n \t\r\n\n  # x\nThu 22:00\r\n");
  EXPECT_THAT(file.warnings, IsEmpty());
  ASSERT_EQ(file.schedule.weekly.size(), 1u);
  EXPECT_EQ(file.schedule.weekly[0].minute, 22 * 60);
}

// Each of shogi-server's settings, and what holds without it, is in tests/golden/schedule.
TEST(Schedule, TheLastSettingCountsAndNobodyNeedBeSacrificed) {
  EXPECT_EQ(parse_schedule("set max_moves 200\nset max_moves 320\n").settings.max_moves, 320);
  EXPECT_EQ(parse_schedule("set sacrifice").settings.round.sacrifice, "");
}

TEST(Schedule, WhatBecomesOfGamesWhenTheServerEndsOrALineBreaks) {
  const GroupSettings none = parse_schedule("").settings;
  EXPECT_EQ(none.resume, ResumeRule::abort);
  EXPECT_EQ(none.grace_s, 0);
  const GroupSettings some = parse_schedule("set resume position\nset loss_grace 3600\n").settings;
  EXPECT_EQ(some.resume, ResumeRule::position);
  EXPECT_EQ(some.grace_s, 3600);
  const ScheduleFile bad = parse_schedule("set resume later\nset loss_grace 3601\nset loss_grace soon\n");
  ASSERT_EQ(bad.warnings.size(), 3u);
  EXPECT_EQ(bad.warnings[0].text, "left out: resume takes position, adjudicate or abort");
  EXPECT_EQ(bad.settings.resume, ResumeRule::abort);
  EXPECT_EQ(bad.settings.grace_s, 0);
}

TEST(Schedule, TheServersDefaultsHoldWhereAFileIsSilent) {
  GroupSettings defaults;
  defaults.max_moves = 512;
  EXPECT_EQ(parse_schedule("Thu 22:00", defaults).settings.max_moves, 512);
}

TEST(Schedule, ABuiltInTimeIsNeverPast) {
  EXPECT_FALSE(default_schedule("floodgate-600-10")) << "two groups have one";
  // Clocks go back by half an hour at 02:00: 01:30 to 02:00 is shown twice.
  const TimeZone lord_howe{{{0, 39600}, {1775314800 - 13 * 3600 + 12600, 37800}}};
  const std::int64_t change = lord_howe.spans[1].since_s;
  for (std::int64_t s = change - 7200; s < change + 7200; s += 60) {
    const Wall now{s * kSecond};
    for (const char* group : {"floodgate-900-0", "floodgate-3600-0"}) {
      EXPECT_GT(*next_time(*default_schedule(group), now, lord_howe), now);
    }
  }
}

// ---- what is added ----

TEST(Schedule, WhereClocksGoBackRoundsGoOn) {
  std::string times;
  Wall now = at("2026-10-25 01:30:00", kBerlin);
  std::int64_t longest = 0;
  for (int i = 0; i < 5; ++i) {
    const Wall then = *next_time(parse_schedule("every 30 min").schedule, now, kBerlin);
    longest = std::max(longest, then.us - now.us);
    times += shown(then, kBerlin).substr(11, 6);
    now = then;
  }
  EXPECT_EQ(times, "02:00:02:30:02:00:02:30:03:00:");
  EXPECT_EQ(longest, 1800 * kSecond);
  EXPECT_EQ(
      shown(next_time(*default_schedule("floodgate-900-0"), at("2026-10-25 01:30:00", kBerlin), kBerlin), kBerlin),
      "2026-10-25 02:00:00");
}

TEST(Schedule, TheManualsExampleIsUnderstood) {
  std::ifstream file(FUHYO_SOURCE_DIR "/docs/operations/rounds.md");
  const std::string manual((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t from = manual.find("# shogi-server's lines\n");
  ASSERT_NE(from, std::string::npos);
  const ScheduleFile example = parse_schedule(std::string_view(manual).substr(from, manual.find("```", from) - from));
  for (const ScheduleWarning& each : example.warnings) ADD_FAILURE() << each.line << ": " << each.text;
  EXPECT_EQ(example.schedule.weekly.size(), 1u);
  EXPECT_EQ(example.schedule.every.size(), 2u);
  EXPECT_EQ(example.schedule.dates.size(), 1u);
  EXPECT_TRUE(example.schedule.until);
  EXPECT_TRUE(example.settings.round.both_colours);
  EXPECT_EQ(example.settings.min_players, 4u);
}

TEST(Schedule, OurSettings) {
  const ScheduleFile file = parse_schedule(
      "set min_players 4\nset buoy_set hourly_2026\nset both_colours yes\nset fill_with_builtin yes # please\n"
      "set pairing_factory matching\n");
  EXPECT_THAT(file.warnings, IsEmpty());
  EXPECT_EQ(file.settings.min_players, 4u);
  EXPECT_EQ(file.settings.buoy_set, "hourly_2026");
  EXPECT_TRUE(file.settings.round.both_colours);
  EXPECT_TRUE(file.settings.fill_with_builtin);
  EXPECT_EQ(file.settings.round.method, Method::matching);
  EXPECT_EQ(parse_schedule("set both_colours yes\nset both_colours no").settings.round.both_colours, false);
}

// ---- bad lines ----

TEST(Schedule, BadLinesAreLeftOutWithTheReasonAndTheRestCounts) {
  const ScheduleFile file = parse_schedule(
      "hello\nSon 13:00\nSun 24:00\nSun 13:00\nset colour blue\nset pairing_factory best\nset max_moves many\n"
      "set both_colours maybe\nevery 0 min\nevery 30 sheep\n2026-02-30 10:00\n2026-02-03\nuntil tomorrow\n"
      "set max_moves 99999999999999999999\nevery 30 min 8-9\nevery 30 min 08:00-25:00\n");
  EXPECT_THAT(file.warnings,
              ElementsAre(warning(1, "hello"), warning(2, "'Son'"), warning(3, "no such time"), warning(5, "'colour'"),
                          warning(6, "'best'"), warning(7, "max_moves"), warning(8, "yes or no"),
                          warning(9, "1 minute to 24 hours"), warning(10, "every 30 min"), warning(11, "no such day"),
                          warning(12, "takes a time"), warning(13, "takes a date"), warning(14, "max_moves"),
                          warning(15, "every 30 min"), warning(16, "no such time")));
  EXPECT_EQ(file.schedule.weekly.size(), 1u);
  EXPECT_THAT(file.schedule.every, IsEmpty());
  EXPECT_EQ(file.settings.max_moves, 256);
}

TEST(Schedule, WhatFollowsATimeIsLeftOutButTheTimeCounts) {
  const ScheduleFile file = parse_schedule("Sat 13:00 Sun 14:00\nSat 9:055\nSat 9:05 # a comment\n");
  EXPECT_THAT(file.warnings, ElementsAre(warning(1, "'Sun 14:00'"), warning(2, "'5'")));
  EXPECT_EQ(file.schedule.weekly.size(), 3u);
}

TEST(Schedule, LinesAreReadUpToALimit) {
  std::string text;
  for (std::size_t i = 0; i < kMostScheduleLines; ++i) text += "Sun 10:00\n";
  EXPECT_THAT(parse_schedule(text).warnings, IsEmpty());
  const ScheduleFile file = parse_schedule(text + "Mon 10:00\nMon 11:00\n");
  EXPECT_EQ(file.schedule.weekly.size(), kMostScheduleLines);
  EXPECT_THAT(file.warnings, ElementsAre(warning(kMostScheduleLines + 1, "1000 lines")));
}

TEST(Schedule, AnyBytesAreSurvived) {
  SeededDraws draws(11);
  constexpr std::string_view kBytes = "setSun every0129:-# \n\n\r\t\xff\0minhours";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (std::uint64_t i = draws.below(60); i > 0; --i) text += kBytes[draws.below(kBytes.size())];
    const ScheduleFile file = parse_schedule(text);
    if (const auto then = next_time(file.schedule, Wall{1'800'000'000 * kSecond}, kJapan)) {
      EXPECT_GT(then->us, 1'800'000'000 * kSecond);
    }
  }
}

}  // namespace
}  // namespace fuhyo::core::floodgate
