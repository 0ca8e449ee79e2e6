#include "server/core/rating/history.h"

#include <cmath>
#include <utility>

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

std::vector<RatedDay> rate_days(const Games& games, ShogiServerRules rules, std::span<const Wall> ends) {
  std::vector<RatedDay> days;
  PlayerRatings former;
  for (const Wall end : ends) {
    rules.base = end;
    auto rated = rate_as_shogi_server(games, rules, former.players.empty() ? nullptr : &former);
    if (!rated) {
      days.push_back({.end = end});
      continue;
    }
    days.push_back(rated_day(*rated, end));
    former = std::move(rated->table);
  }
  return days;
}

}  // namespace fuhyo::core::rating
