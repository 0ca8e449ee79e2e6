// Players and rounds for tests of floodgate pairing, and what must hold of every pairing.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "server/core/floodgate/pairing.h"

namespace fuhyo::core::floodgate {

// "p0+a0", "p1+a1", ...: different owners, ids that differ from the first character on.
inline Entrant player(int number, int rate) {
  const std::string name = std::string(1, static_cast<char>('a' + number % 26)) + std::to_string(number) + "_player";
  return {name + "+" + std::to_string(1000 + number), name, rate};
}

inline Round round_of(std::uint64_t number, Method method, const std::vector<int>& rates) {
  Round round;
  round.number = number;
  round.settings.method = method;
  for (const int rate : rates) round.entrants.push_back(player(static_cast<int>(round.entrants.size()), rate));
  return round;
}

inline Played game(std::uint64_t round, const Entrant& black, const Entrant& white, int winner = 0) {
  Played played{"", black.id, white.id, "", "", round};
  if (winner != 0) {
    played.winner = winner > 0 ? black.id : white.id;
    played.loser = winner > 0 ? white.id : black.id;
  }
  return played;
}

// For which nothing is left to chance.
inline Pairings pairings_of(const Round& round, const History& history = {}) {
  SeededDraws draws(1);
  return pair(round, history, draws);
}

// Everybody is in exactly one game, or sits out; nobody else is.
inline void expect_complete(const Round& round, const Pairings& pairings) {
  std::map<std::string, int> seen;
  for (const PairedGame& paired : pairings.games) {
    EXPECT_NE(paired.black, paired.white);
    if (paired.leg == 1) ++seen[paired.black], ++seen[paired.white];
  }
  for (const SitOut& out : pairings.sit_outs) ++seen[out.id];
  if (round.filler) seen.erase(round.filler->id);
  EXPECT_EQ(seen.size(), round.entrants.size());
  for (const Entrant& entrant : round.entrants) EXPECT_EQ(seen[entrant.id], 1) << entrant.id;
}

inline std::string opponent_of(const Pairings& pairings, const std::string& id) {
  for (const PairedGame& paired : pairings.games) {
    if (paired.black == id) return paired.white;
    if (paired.white == id) return paired.black;
  }
  return {};
}

}  // namespace fuhyo::core::floodgate
