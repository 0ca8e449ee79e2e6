// Rates the engines of a match on one scale. Engines with a known rating fix the scale: the ladder. The standard ladder
// is made of built-in players that play the same on every machine and in every version (simple_players.h). Pure; any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/standings.h"
#include "engines/match/statistics/ratings.h"

namespace fuhyo::match {

// From the lowest. MATCH.md has the errors of these ratings, and their numbers of games.
struct Rung {
  std::string_view player;
  double rating;  // Elo; random is 0
};
inline constexpr std::array<Rung, 9> kLadder = {{{"random", 0},
                                                 {"material-1-70", 730},
                                                 {"material-1-35", 1280},
                                                 {"material-1", 1597},
                                                 {"material-2-20", 2118},
                                                 {"material-2", 2449},
                                                 {"material-3-15", 2702},
                                                 {"material-3", 3076},
                                                 {"material-4", 3401}}};
// As contestants with their ratings.
std::vector<Contestant> ladder();

// All games so far, by the players as Black and White.
std::vector<Meetings> meetings_of(const Standings& standings);

// The first-move advantage is estimated where the games determine it, else it is 0. Error: no game has been won yet.
std::expected<Ratings, std::string> rate_engines(const std::vector<Contestant>& engines, const Standings& standings);

// Games of any matches, by the names of the players.
class CrossTable {
 public:
  // Ignores a copy of an earlier game.
  void add(const PlayedGame& game);
  std::int64_t repeats() const { return repeats_; }
  // A player with the name of a rung has its rating; without one, the mean of all is 0. Errors as rate_engines().
  std::expected<Ratings, std::string> rate() const;

 private:
  int player(const std::string& name);

  std::vector<std::string> names_;
  std::map<std::string, int> numbers_;
  std::map<std::pair<int, int>, Meetings> games_;  // by Black and White
  std::set<std::uint64_t> hashes_;                 // of the games
  std::int64_t repeats_ = 0;
};

}  // namespace fuhyo::match
