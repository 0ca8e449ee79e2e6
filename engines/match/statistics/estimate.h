// What a match between two says about them: score, Elo, normalised Elo, likelihood of superiority, with 95 % intervals.
// Formulas and sources: STATISTICS.md. Pure; any thread.
#pragma once

#include <optional>

#include "engines/match/statistics/counts.h"

namespace fuhyo::match {

// A value and its 95 % interval. What no number can be given for (all games won: no finite Elo) is absent, and an
// interval that is open on one side has one end.
struct Measured {
  std::optional<double> value{}, low{}, high{};

  // Half the width of the interval, as it is written behind "+-"; nothing if the interval is open.
  std::optional<double> error() const { return low && high ? std::optional((*high - *low) / 2) : std::nullopt; }
};

struct Estimate {
  Measured score;                       // 0 to 1, of the first player
  Measured elo;                         // logistic: -400 log10(1 / score - 1)
  Measured normalised_elo;              // (score - 1/2) / sigma of one game * 800 / ln 10
  double superiority = 0.5;             // probability that the first player is the stronger one (LOS)
  double draws = 0;                     // share of drawn games; of pairs: of those that gave either side one point
  std::optional<double> pairs_ratio{};  // pairs won to pairs lost; nothing for games, or if none was lost
};

// Where all results are alike their variance says nothing. Then the interval ends where three of the observations would
// have been of the other kind (the "rule of three": with 95 % confidence fewer of so many are), and there is none for
// five observations or fewer. If all games are won or lost, each game is an observation, also of pairs.
Estimate estimate(const GameCounts& counts);
Estimate estimate(const PairCounts& counts);

}  // namespace fuhyo::match
