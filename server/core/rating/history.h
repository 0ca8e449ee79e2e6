// Ratings as they were at the end of a day, for graphs. Pure.
#pragma once

#include <map>
#include <string>

#include "server/core/rating/games.h"
#include "server/core/rating/shogi_server.h"

namespace fuhyo::core::rating {

struct RatedDay {
  Wall end;  // games up to here count
  struct Rate {
    double rate = 0;
    double error = 0;  // 95 %; 0: not asked for or not known
    bool operator==(const Rate&) const = default;
  };
  std::map<std::string, Rate> rates;  // by id, of those in a group; not cut to whole numbers, the fixed player obeyed
};

// The ratings of one moment in this form.
RatedDay rated_day(const ShogiServerRatings& ratings, Wall end);
RatedDay rated_day(const PlayerRatings& table, Wall end);

}  // namespace fuhyo::core::rating
