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

std::expected<Schedule, std::string> Schedule::make(const ScheduleTerms& terms) {
  using Failure = std::unexpected<std::string>;
  if (terms.engines < 2) return Failure("a match needs two engines");
  if (terms.rounds < 1 || terms.openings < 1) return Failure("a match needs a round and an opening");
  if (terms.games_per_encounter != 1 && terms.games_per_encounter != 2) {
    return Failure("an encounter has one game or two");
  }
  const bool gauntlet = terms.tournament == Tournament::gauntlet;
  if (gauntlet && (terms.seeds < 1 || terms.seeds >= terms.engines)) {
    return Failure("the seeds of a gauntlet need somebody to play");
  }
  Schedule schedule(terms);
  if (terms.tournament == Tournament::chain) {
    for (int first = 0; first + 1 < terms.engines; ++first) schedule.meetings_.emplace_back(first, first + 1);
    return schedule;
  }
  for (int first = 0; first < (gauntlet ? terms.seeds : terms.engines); ++first) {
    for (int second = gauntlet ? terms.seeds : first + 1; second < terms.engines; ++second) {
      schedule.meetings_.emplace_back(first, second);
    }
  }
  return schedule;
}

std::int64_t Schedule::games() const {
  return terms_.rounds * static_cast<std::int64_t>(meetings_.size()) * terms_.games_per_encounter;
}

Fixture Schedule::at(std::int64_t number) const {
  const auto per_round = static_cast<std::int64_t>(meetings_.size());
  const std::int64_t encounter = number / terms_.games_per_encounter;
  const std::int64_t round = encounter / per_round;
  const auto [first, second] = meetings_[static_cast<std::size_t>(encounter % per_round)];
  const bool swapped = terms_.games_per_encounter == 2 ? number % 2 != 0 : round % 2 != 0;
  return {.number = number,
          .round = round,
          .encounter = encounter,
          .engines = swapped ? std::array{second, first} : std::array{first, second},
          .opening = round % terms_.openings};
}

}  // namespace fuhyo::match
