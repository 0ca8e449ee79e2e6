// Ends games by what engines say of them (Adjudication). Pure; one per game.
#pragma once

#include <array>
#include <optional>

#include "engines/match/game.h"
#include "engines/match/rules.h"

namespace fuhyo::match {

class Adjudicator {
 public:
  explicit Adjudicator(const Adjudication& rules) : rules_(rules) {}

  // After each move: who made it, the score that it told (nothing breaks every series), and plies so far, those of the
  // opening included. What the game ends with, if it ends.
  struct Verdict {
    GameResult result;
    Ending ending;
    bool operator==(const Verdict&) const = default;
  };
  std::optional<Verdict> moved(shogi::Color mover, const std::optional<usi::Score>& score, int plies);

 private:
  Adjudication rules_;
  std::array<int, 2> losing_{}, winning_{}, even_{};  // how many of the last scores of each side were so
};

// Mates are 30,000 less the plies to them, so that any mate is beyond any evaluation.
int centipawns(const usi::Score& score);

}  // namespace fuhyo::match
