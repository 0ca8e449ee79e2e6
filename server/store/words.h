// The spelling of enumerations in tables. Values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/games/game_terms.h"
#include "server/core/rating/games.h"

namespace fuhyo::store {

inline std::string_view outcome_word(core::Outcome outcome) {
  static constexpr std::string_view kWords[] = {"black_wins", "white_wins", "draw", "none"};
  return kWords[static_cast<std::size_t>(outcome)];
}

inline core::Outcome outcome_of(std::string_view word) {
  if (word == "black_wins") return core::Outcome::black_wins;
  if (word == "white_wins") return core::Outcome::white_wins;
  return word == "draw" ? core::Outcome::draw : core::Outcome::none;
}

// Of a game that has a result.
inline core::rating::Score score_of(std::string_view outcome) {
  if (outcome == "draw") return core::rating::Score::draw;
  return outcome == "black_wins" ? core::rating::Score::black_wins : core::rating::Score::white_wins;
}

// A line each.
inline std::string lines_of(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += item + '\n';
  return text;
}

}  // namespace fuhyo::store
