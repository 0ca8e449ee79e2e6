// 00LIST: every field, every defect, and that what this server writes is read back.
#include <gtest/gtest.h>
#include <string>

#include "server/core/record_text.h"
#include "server/store/results/list.h"
#include "server/store/shogi_server/local_time.h"

namespace fuhyo::store {
namespace {

const std::string kLine = "2026/11/21 04:15:07\ttime up\twin\tgps+01\tnozomi+23\tlose\t/r/2026/11/21/x.csa\t112";

TEST(ResultLine, HasEightFields) {
  const auto line = parse_result_line(kLine);
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(line->ended, "2026/11/21 04:15:07");
  EXPECT_EQ(line->kind, "time up");
  EXPECT_EQ(line->outcome, core::Outcome::black_wins);
  EXPECT_EQ(line->black, "gps+01");
  EXPECT_EQ(line->white, "nozomi+23");
  EXPECT_EQ(line->record, "/r/2026/11/21/x.csa");
  EXPECT_EQ(line->plies, 112);
  EXPECT_EQ(to_string(*line), kLine + "\n");
}

TEST(ResultLine, MayLackTheNumberOfMoves) {
  const std::string text = kLine.substr(0, kLine.rfind('\t')) + "\r\n";  // the line read points into it
  const auto line = parse_result_line(text);
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(line->plies, std::nullopt);
  EXPECT_EQ(line->record, "/r/2026/11/21/x.csa");
}

std::string fault_of(std::string line) {
  const auto parsed = parse_result_line(line);
  return parsed ? "" : parsed.error();
}

TEST(ResultLine, SaysWhatIsWrong) {
  EXPECT_EQ(fault_of("a\tb\tc"), "has 3 fields with TABs between; 8 are wanted");
  EXPECT_EQ(fault_of(""), "has 1 fields with TABs between; 8 are wanted");
  EXPECT_EQ(fault_of("t\tk\twin\ta\tb\twin\tp\t1"), "'win' and 'win' are no results of one game");
  EXPECT_EQ(fault_of("t\tk\twin\t\tb\tlose\tp\t1"), "a player is not named");
  EXPECT_EQ(fault_of("t\tk\tdraw\ta\tb\tdraw\tp\tmany"), "'many' is no number of moves");
  EXPECT_EQ(fault_of("t\tk\tdraw\ta\tb\tdraw\tp\t-1"), "'-1' is no number of moves");
  EXPECT_EQ(fault_of("t\tk\tdraw\ta\tb\tdraw\tp\t1\tx"), "") << "what follows is for later programs";
}

TEST(ResultLine, OfThisServerAreReadBack) {
  core::GameOpened opened{.room = "main", .game_name = "floodgate-900-5F"};
  opened.black = {.name = "a", .id = "a+01"};
  opened.white = {.name = "b"};
  core::GameEnded ended{.kind = core::EndKind::illegal_kachi, .outcome = core::Outcome::white_wins, .plies = 77};
  ended.local_time = "2026/11/21 04:15:07";
  const std::string text = list_line(opened, ended, "/r/a b.csa");
  const auto line = parse_result_line(text);
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(to_string(*line), text);
  EXPECT_EQ(line->white, "b");
  EXPECT_EQ(line->record, "/r/a b.csa");
}

TEST(LocalTime, IsOfItsZone) {
  const core::TimeZone tokyo{{{INT64_MIN, 9 * 3600}}};
  const auto time = parse_local_time(" 2026/11/21 09:00:00\r", tokyo);
  ASSERT_TRUE(time);
  EXPECT_EQ(time->us, 1'795'219'200 * core::kSecond);
  EXPECT_EQ(format_local_time(*time, tokyo), "2026/11/21 09:00:00");
  EXPECT_EQ(format_local_time(*time, {}), "2026/11/21 00:00:00");
}

TEST(LocalTime, FollowsAChangeOfTheClock) {
  const std::int64_t change = 1'795'219'200;  // 00:00 UTC: from +2 to +1 hours, so that 01:00 to 02:00 comes twice
  const core::TimeZone zone{{{INT64_MIN, 7200}, {change, 3600}}};
  for (const std::int64_t second : {change - 7200, change - 3601, change + 3600, change + 86'400}) {
    const core::Wall wall{second * core::kSecond};
    EXPECT_EQ(parse_local_time(format_local_time(wall, zone), zone), wall) << second - change;
  }
  EXPECT_EQ(parse_local_time("2026/11/21 01:30:00", zone), (core::Wall{(change + 1800) * core::kSecond}));
}

TEST(LocalTime, ExistsOrIsNone) {
  for (const char* text : {"", "2026/11/21", "2026-11-21 09:00:00", "2026/02/29 00:00:00", "2026/11/21 24:00:00",
                           "2026/11/21 00:60:00", "2026/11/21 00:00:60", "2026/11/2x 00:00:00"}) {
    EXPECT_EQ(parse_local_time(text, {}), std::nullopt) << text;
  }
  EXPECT_TRUE(parse_local_time("2024/02/29 23:59:59", {}));
}

}  // namespace
}  // namespace fuhyo::store
