// What a match says while it runs and when it is over, for people. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "engines/match/match.h"

namespace fuhyo::match {

struct Pace {
  std::int64_t played = 0;  // games of this run
  double seconds = 0;       // since it began
};

// One line. Two engines: counts, score, Elo with its 95% interval, LOS, SPRT; more: games so far. Then pace and the
// time that is left at this pace.
std::string progress_line(const Match& match, const Pace& pace);

// The whole account: the ratings of more than two or on a ladder, each meeting, the SPRT, what engines did (moves,
// depth, nodes per second, time), every fault, how games ended, and games that repeat others.
std::string final_report(const Match& match, const Pace& pace);

// That so many games, `those` in words, are copies of others.
std::string copies_text(const std::string& those, std::int64_t count);

}  // namespace fuhyo::match
