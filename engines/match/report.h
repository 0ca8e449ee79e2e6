// The progress line and the final report of a match, for people. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "engines/match/match.h"

namespace fuhyo::match {

struct Pace {
  std::int64_t played = 0;  // games of this run
  double seconds = 0;       // since it began
};

// One line. With two engines: counts, score, Elo with its 95% interval, LOS, SPRT; with more: games so far. Then games
// per second and the remaining time.
std::string progress_line(const Match& match, const Pace& pace);

// The final report: ratings (of more than two engines, or on a ladder), each pair of engines, the SPRT, figures of each
// engine (moves, depth, nodes per second, time), every fault, the endings, and the number of copies.
std::string final_report(const Match& match, const Pace& pace);

// The sentence that `count` games, `those` in words, are copies of others.
std::string copies_text(const std::string& those, std::int64_t count);

}  // namespace fuhyo::match
