// An event in words, and what it comes to: rounds, games, the longest that it can last. For a host who wants to know
// what he has written. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/tournament/event.h"

namespace fuhyo::core::tournament {

struct DivisionPlan {
  int stage = 0, division = 0;  // places, from 0
  std::size_t members = 0;
  int rounds = 0;              // 0: as many as are held
  std::int64_t games = 0;      // without replays
  std::int64_t game_s = 0;     // the longest game that its clocks allow
  std::int64_t longest_s = 0;  // from the countdown of its first round to the end of its last game, replays included
};

struct EventPlan {
  std::vector<DivisionPlan> divisions;
  std::int64_t games = 0;
  std::int64_t longest_s = 0;  // stages follow one another; divisions of a stage are played at the same time
};

// `entrants`: how many play; divisions take of them what they may.
EventPlan plan_of(const Event& event, std::size_t entrants);

// The longest game by its clocks: both sides use all of it, at the most moves. Without a limit of moves the server's.
std::int64_t longest_game_s(const DivisionSettings& settings);

// "1:05:00" of seconds.
std::string duration_text(std::int64_t seconds);
// "15 min + 5 s a move", "持ち時間 15 分、1 手 5 秒加算"
std::string time_text(const TimeRule& time, Language language);
// "31 points win, 24 to 30 draw"
std::string_view declaration_text(shogi::DeclarationRule rule, Language language);
// "2026-12-24 10:00 (UTC+09:00)" of local seconds; of an hour that the zone skips the time that it is then.
std::string local_text(std::int64_t local_s, const TimeZone& zone);
std::string_view format_name(Format format, Language language);

// As many as may play: those of the file, or as many as there is room for while entries are open.
std::size_t most_entrants(const Event& event);

// Several lines, each ended by a line feed. Times are those that clocks of the zone come to show; who says what time it
// is `now` is told which of them are past.
std::string explain(const Event& event, std::size_t entrants, Language language, const TimeZone& zone = {},
                    std::optional<Wall> now = {});

}  // namespace fuhyo::core::tournament
