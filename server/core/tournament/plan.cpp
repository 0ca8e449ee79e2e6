// What an event comes to: rounds, games, time.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

#include "server/core/civil_time.h"
#include "server/core/limits.h"
#include "server/core/tournament/explain.h"
#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

std::int64_t longest_side_s(const TimeRule& time, std::int64_t moves) {
  return time.total_s + moves * (std::max(time.byoyomi_s, time.stopwatch_s) + time.increment_s);
}

// What one pairing can come to, replays included.
std::int64_t games_of_pairing(const DivisionSettings& settings) {
  if (rules_of(settings).eliminates) return settings.games + settings.replays;
  return std::int64_t{settings.games} * (settings.draws == DrawRule::replay ? 1 + settings.replays : 1);
}

std::int64_t games_of(const DivisionSettings& settings, std::size_t members) {
  return members < 2 ? 0 : rules_of(settings).pairings(settings, members) * settings.games;
}

// The end of the last round, where the first one can start at `from`.
std::int64_t end_of(const DivisionSettings& settings, int rounds, std::int64_t from) {
  const Timetable& table = settings.timetable;
  std::int64_t at = from;
  for (int round = 0; round < rounds; ++round) {
    std::int64_t start = at + (round == 0 ? table.countdown_s : std::max(table.gap_s, table.countdown_s));
    if (static_cast<std::size_t>(round) < table.starts.size()) {
      start = std::max(start, table.starts[static_cast<std::size_t>(round)]);
    }
    at = start + games_of_pairing(settings) * longest_game_s(settings);
  }
  return at;
}

}  // namespace

std::int64_t longest_game_s(const DivisionSettings& settings) {
  const std::int64_t plies = settings.max_moves == 0 ? Limits{}.plies : settings.max_moves;
  return longest_side_s(settings.time[0], (plies + 1) / 2) + longest_side_s(settings.time[1], plies / 2);
}

EventPlan plan_of(const Event& event, std::size_t entrants) {
  EventPlan plan;
  std::size_t field = entrants;
  std::optional<std::int64_t> first;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < event.stages.size(); ++i) {
    std::int64_t end = at;
    std::size_t left = field;
    for (std::size_t j = 0; j < event.stages[i].divisions.size(); ++j) {
      const Division& division = event.stages[i].divisions[j];
      const auto take = static_cast<std::size_t>(division.take);
      const std::size_t members = division.take == 0 ? left : std::min(take, left);
      left -= members;
      const int rounds = rounds_of(division.settings, members);
      const std::vector<std::int64_t>& starts = division.settings.timetable.starts;
      std::int64_t from = at;
      if (!starts.empty()) from = std::max(at, starts.front() - division.settings.timetable.countdown_s);
      if (!first) first = from;
      const std::int64_t over = end_of(division.settings, rounds, from);
      plan.divisions.push_back({.stage = static_cast<int>(i),
                                .division = static_cast<int>(j),
                                .members = members,
                                .rounds = rounds,
                                .games = games_of(division.settings, members),
                                .game_s = longest_game_s(division.settings),
                                .longest_s = over - from});
      plan.games += plan.divisions.back().games;
      end = std::max(end, over);
    }
    field -= left;
    at = end;
  }
  plan.longest_s = at - first.value_or(0);
  return plan;
}

std::string duration_text(std::int64_t seconds) {
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string local_text(std::int64_t local_s, const TimeZone& zone) {
  const Wall wall = wall_at_local(local_s, zone);
  const CivilTime at = civil(wall, zone);
  const std::int32_t minutes = zone.offset_at(wall) / 60;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} (UTC{:+03}:{:02})", at.year, at.month, at.day, at.hour, at.minute,
                     minutes / 60, std::abs(minutes % 60));
}

}  // namespace fuhyo::core::tournament
