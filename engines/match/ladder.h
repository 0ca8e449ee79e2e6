// The engines of a match on one scale: those whose ratings are given are the rungs of a ladder, and place the others.
// Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/standings.h"
#include "engines/match/statistics/ratings.h"

namespace fuhyo::match {

// All games so far, by who was Black.
std::vector<Meetings> meetings_of(const Standings& standings);

// The first-move advantage is estimated where the games determine it, else taken to be 0. An error says why there are
// no ratings: nobody has won a game yet.
std::expected<Ratings, std::string> rate_engines(const std::vector<Contestant>& engines, const Standings& standings);

}  // namespace fuhyo::match
