// Weeks of floodgate rounds, by the production server under virtual time: players log in, leave, play games of a likely
// length and lose by likely odds, do not agree to games, refuse them, break off. What is counted is counted here,
// beside the server, from what it did.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "server/core/floodgate/pairing.h"

namespace fuhyo::sim {

struct MonthPlan {
  core::floodgate::Method method = core::floodgate::Method::matching;
  int days = 31;
  int players = 60;
  std::uint64_t seed = 1;
};

struct MonthCount {
  int rounds = 0;
  int empty_rounds = 0;  // with fewer than two players
  int pairs = 0, games = 0, sit_outs = 0;
  int not_agreed = 0, broken_off = 0;
  int late_rounds = 0;           // not within a second after a half hour, or a half hour that had players and no round
  int made_good = 0;             // games that rounds owed: of who sat out, or whose opponent did not begin
  int same_again = 0;            // pairs that met in the round before
  int same_again_avoidable = 0;  // rounds with such pairs though the entrants could be paired without
  int same_as_last = 0;          // pairs of which one had played its last game against the other
  int one_owner = 0;             // pairs of one owner
  std::array<int, 8> balance{};  // player-rounds by |games with Black - games with White| after the game; 7: or more
  std::int64_t difference = 0;   // sum over pairs of two rated players of the difference in rating
  int rated_pairs = 0;
  std::vector<int> sat_out_of_100;  // of each player with 50 games or more: sit-outs in a hundred rounds
  std::int64_t players_in_rounds = 0;

  double mean_difference() const { return rated_pairs == 0 ? 0 : static_cast<double>(difference) / rated_pairs; }
  int player_rounds() const;
  double within(int balance_limit) const;  // share of player-rounds, 0 to 1
};

MonthCount run_month(const MonthPlan& plan);

// Whether `n` players can be paired (but one of an odd number) without any of the pairs `met`.
bool can_be_paired_without(const std::vector<std::pair<std::size_t, std::size_t>>& met, std::size_t n);

}  // namespace fuhyo::sim
