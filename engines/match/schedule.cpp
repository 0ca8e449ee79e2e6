#include "engines/match/schedule.h"

namespace fuhyo::match {

std::string_view to_string(Tournament tournament) {
  switch (tournament) {
    case Tournament::gauntlet:
      return "gauntlet";
    case Tournament::chain:
      return "chain";
    case Tournament::round_robin:
      break;
  }
  return "round robin";
}

std::expected<Schedule, std::string> Schedule::make(const ScheduleOptions& options) {
  using Failure = std::unexpected<std::string>;
  if (options.engines < 2) return Failure("a match needs two engines");
  if (options.rounds < 1 || options.openings < 1) return Failure("a match needs a round and an opening");
  if (options.games_per_encounter != 1 && options.games_per_encounter != 2) {
    return Failure("an encounter has one game or two");
  }
  const bool gauntlet = options.tournament == Tournament::gauntlet;
  if (gauntlet && (options.seeds < 1 || options.seeds >= options.engines)) {
    return Failure("the seeds of a gauntlet need somebody to play");
  }
  Schedule schedule(options);
  if (options.tournament == Tournament::chain) {
    for (int first = 0; first + 1 < options.engines; ++first) schedule.meetings_.emplace_back(first, first + 1);
    return schedule;
  }
  for (int first = 0; first < (gauntlet ? options.seeds : options.engines); ++first) {
    for (int second = gauntlet ? options.seeds : first + 1; second < options.engines; ++second) {
      schedule.meetings_.emplace_back(first, second);
    }
  }
  return schedule;
}

std::int64_t Schedule::games() const {
  return options_.rounds * static_cast<std::int64_t>(meetings_.size()) * options_.games_per_encounter;
}

Pairing Schedule::at(std::int64_t number) const {
  const auto per_round = static_cast<std::int64_t>(meetings_.size());
  const std::int64_t encounter = number / options_.games_per_encounter;
  const std::int64_t round = encounter / per_round;
  const auto [first, second] = meetings_[static_cast<std::size_t>(encounter % per_round)];
  const bool swapped = options_.games_per_encounter == 2 ? number % 2 != 0 : round % 2 != 0;
  return {.number = number,
          .round = round,
          .encounter = encounter,
          .engines = swapped ? std::array{second, first} : std::array{first, second},
          .opening = round % options_.openings};
}

}  // namespace fuhyo::match
