// Ratings as shogi-server's mk_rate makes them: games weighted by age, rare players left out, groups that never met
// rated apart, each with the mean 1000. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>

#include "server/core/rating/games.h"
#include "server/core/rating/table.h"

namespace fuhyo::core::rating {

// Defaults are mk_rate's.
struct ShogiServerRules {
  Wall base;                         // games count by their age at this time; later ones do not count
  double half_life_days = 60;        // the weight of a game halves within so many days ...
  double half_life_ignore_days = 7;  // ... from this age on
  double ignore_days = 730;          // older games do not count
  std::int32_t abnormal_plies = 30;  // games that a player left count if they were longer than this; 0: never
  bool skip_draws = false;           // else a draw is half a win for each
  // This player has this rate, and the others of his group move with him. The id, or else a part of one.
  struct Fixed {
    std::string player;
    std::int32_t rate = 0;
  };
  std::optional<Fixed> fixed;
  bool with_errors = false;
};

struct ShogiServerRatings {
  PlayerRatings table;                  // rates cut to whole numbers, as in players.yaml
  std::map<std::string, double> exact;  // of those in a group, before they were cut and moved to a fixed one
  std::map<std::string, double> error;  // if asked for and known: the rate is within +- this of the mean at 95 %
};

// Fails as mk_rate does where a rate is beyond +-10000: results that go one way only have no ratings.
// With `former` the search begins at the rates of that table, which is quicker and ends in the same place.
std::expected<ShogiServerRatings, std::string> rate_as_shogi_server(const Games& games, const ShogiServerRules& rules,
                                                                    const PlayerRatings* former = nullptr);

}  // namespace fuhyo::core::rating
