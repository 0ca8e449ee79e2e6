// Events for the tests of tournaments.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>

#include "server/core/tournament/simulation.h"
#include "server/core/tournament/standings.h"

namespace fuhyo::core::tournament {

inline constexpr DivisionKey kFirst{0, 0};

inline std::string player(int number) { return "p" + std::to_string(number); }

inline DivisionSettings settings_for(Format format, int rounds = 0) {
  DivisionSettings settings;
  settings.format = format;
  settings.rounds = rounds;
  settings.tie_breaks = usual_tie_breaks(format);
  return settings;
}

// p1 is the best seed.
inline Event event_of(int entrants, DivisionSettings settings) {
  Event event;
  event.name = "test";
  event.stages.push_back({.name = "main"});
  event.stages.back().divisions.push_back({.name = "A", .settings = std::move(settings)});
  for (int number = 1; number <= entrants; ++number) {
    event.entrants.push_back({.player = player(number), .seed = number, .rate = 2500 - 20 * number, .stage = 0});
  }
  return event;
}

// To its end, or until it is stuck.
struct PlayedOut : Simulation {
  explicit PlayedOut(const Event& event, std::map<PlayerId, double> strengths = {}, const Chances& chances = {},
                     std::uint64_t seed = 1)
      : Simulation(event, std::move(strengths), chances, seed) {
    while (step()) continue;
  }
};

// Everybody is in exactly one pairing or bye; the rest of `members` is nobody.
inline void expect_complete(const RoundPaired& round, std::size_t members) {
  std::map<PlayerId, int> seen;
  for (const Pairing& pairing : round.pairings) ++seen[pairing.black], ++seen[pairing.white];
  for (const Bye& bye : round.byes) ++seen[bye.player];
  EXPECT_EQ(seen.size(), members);
  for (const auto& [who, times] : seen) EXPECT_EQ(times, 1) << who;
}

}  // namespace fuhyo::core::tournament
