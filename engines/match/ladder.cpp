// The standings of a match as a cross table.
#include "engines/match/ladder.h"

namespace fuhyo::match {

std::vector<Meetings> meetings_of(const Standings& standings) {
  std::vector<Meetings> out;
  for (const auto& [who, meeting] : standings.meetings()) {
    const auto& [as_black, as_white] = meeting.by_color;  // results of who.first
    out.push_back({.black = who.first,
                   .white = who.second,
                   .black_wins = as_black.wins,
                   .draws = as_black.draws,
                   .white_wins = as_black.losses});
    out.push_back({.black = who.second,
                   .white = who.first,
                   .black_wins = as_white.losses,
                   .draws = as_white.draws,
                   .white_wins = as_white.wins});
  }
  return out;
}

std::expected<Ratings, std::string> rate_engines(const std::vector<Contestant>& engines, const Standings& standings) {
  std::vector<std::string> names;
  RatingOptions options{.first_move = std::nullopt};
  for (const Contestant& engine : engines) {
    if (engine.rating) options.fixed.emplace_back(static_cast<int>(names.size()), *engine.rating);
    names.push_back(engine.name);
  }
  const std::vector<Meetings> meetings = meetings_of(standings);
  auto rated = rate_pool(names, meetings, options);
  if (rated) return rated;
  options.first_move = 0;
  return rate_pool(names, meetings, options);
}

}  // namespace fuhyo::match
