// Ends a game by the scores of the engines (Adjudication). Pure; one object for each game.
#pragma once

#include <array>
#include <optional>

#include "engines/match/game.h"
#include "engines/match/rules.h"

namespace fuhyo::match {

class Adjudicator {
 public:
  explicit Adjudicator(const Adjudication& rules) : rules_(rules) {}

  // Call after each move. `score`: of the engine that moved; nothing breaks every series. `plies`: so far, with those
  // of the opening. Returns the end of the game, if it ends.
  struct GameEnd {
    GameResult result;
    Ending ending;
    bool operator==(const GameEnd&) const = default;
  };
  std::optional<GameEnd> moved(shogi::Color mover, const std::optional<usi::Score>& score, int plies);

 private:
  Adjudication rules_;
  std::array<int, 2> losing_{}, winning_{}, even_{};  // lengths of the current series of scores, by colour
};

// A mate counts 30,000 less its plies, so that it is beyond any evaluation.
int centipawns(const usi::Score& score);

}  // namespace fuhyo::match
