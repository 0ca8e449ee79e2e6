#include "server/core/rating/history.h"

#include <cmath>

namespace fuhyo::core::rating {

RatedDay rated_day(const ShogiServerRatings& ratings, Wall end) {
  RatedDay day{.end = end};
  for (const auto& [id, exact] : ratings.exact) {
    const auto error = ratings.error.find(id);
    const double shift = ratings.table.players.at(id).rate - std::trunc(exact);  // of a fixed player
    day.rates.emplace(id, RatedDay::Rate{exact + shift, error == ratings.error.end() ? 0 : error->second});
  }
  return day;
}

RatedDay rated_day(const PlayerRatings& table, Wall end) {
  RatedDay day{.end = end, .rates = {}};
  for (const auto& [id, player] : table.players) {
    if (player.group != kUnratedGroup) day.rates.emplace(id, RatedDay::Rate{.rate = player.rate});
  }
  return day;
}

}  // namespace fuhyo::core::rating
