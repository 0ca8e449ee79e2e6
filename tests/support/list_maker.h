// Makes lists of results as shogi-server keeps them (00LIST), for tests and benchmarks of ratings: the same seed gives
// the same bytes on every machine (integers only).
//
// They have what real lists have: clubs whose members meet nobody else, newcomers with a handful of games, draws, games
// that broke off early and late, players who asked not to be rated or play from several places, games with oneself,
// games that are too old or not yet played, a line that stands twice, a line that is cut short.
#pragma once

#include <cstdint>
#include <string>

namespace fuhyo::test {

struct ListPlan {
  std::uint64_t seed = 1;
  int games = 0;
  int players = 0;
  int clubs = 1;              // the first has half of the players
  int days = 900;             // from the first game to the last one, which is played on `last_day`
  std::string folder = "/t";  // where the records would lie
};

// Lines in the order of time. The last games are of 2025-12-31 UTC.
std::string make_list(const ListPlan& plan);

// The lists that shogi-server's ratings are known of (tests/golden/rating).
ListPlan small_list();   // 200 games
ListPlan middle_list();  // 3,000
ListPlan large_list();   // 20,000
// A list of the size of a busy public server: 100,000 games of 500 players within two years.
ListPlan huge_list();

}  // namespace fuhyo::test
