// shogi-server's next time of a round, as its Ruby classes found it, in zones that change their clocks in every way
// there is. Lines of tests/golden/schedule/next_times.tsv:
//   zone <name> <from:offset,...>     offsets of a zone, in seconds, from these instants on
//   <zone> <now> <file> <next> <pairing_factory> <sacrifice> <max_moves> <least_time_per_move>
// Instants are seconds since 1970; <file> is the text of a .conf (\n between lines), or the name of a group that has
// a schedule without one; <next> is "none" where there is no next time.
#include "server/core/floodgate/schedule.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace fuhyo::core::floodgate {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

TimeZone zone_of(const std::string& text) {
  TimeZone zone;
  std::istringstream in(text);
  for (std::string span; std::getline(in, span, ',');) {
    const std::size_t colon = span.find(':');
    zone.spans.push_back({std::stoll(span.substr(0, colon)), std::stoi(span.substr(colon + 1))});
  }
  return zone;
}

std::string unescaped(std::string text) {
  for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at)) text.replace(at, 2, "\n");
  return text;
}

std::string shown(const std::optional<Wall>& next) { return next ? std::to_string(next->us / kSecond) : "none"; }

TEST(ShogiServersSchedule, GivesTheSameNextTimeInEveryZone) {
  std::ifstream file(FUHYO_SOURCE_DIR "/tests/golden/schedule/next_times.tsv");
  std::map<std::string, TimeZone> zones;
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    const auto fields = fields_of(line);
    ASSERT_GE(fields.size(), 3u) << line;
    if (fields[0] == "zone") {
      zones[fields[1]] = zone_of(fields[2]);
      continue;
    }
    ASSERT_EQ(fields.size(), 8u) << line;
    ++cases;
    const Wall now{std::stoll(fields[1]) * kSecond};
    const auto built_in = default_schedule(fields[2]);
    const ScheduleFile parsed = built_in ? ScheduleFile{*built_in, {}, {}} : parse_schedule(unescaped(fields[2]));
    const auto next = next_time(parsed.schedule, now, zones.at(fields[0]));
    EXPECT_EQ(shown(next), fields[3]) << line;
    const Method method = parsed.settings.round.method;
    EXPECT_EQ(to_string(method), fields[4] == "default_factory" ? "least_diff_pairing" : fields[4]) << line;
    EXPECT_EQ(parsed.settings.round.sacrifice, fields[5]) << line;
    EXPECT_EQ(std::to_string(parsed.settings.max_moves), fields[6]) << line;
    EXPECT_EQ(std::to_string(parsed.settings.least_time_per_move_s), fields[7]) << line;
  }
  EXPECT_GE(cases, 1000);
}

}  // namespace
}  // namespace fuhyo::core::floodgate
