// The standings of a match as a cross table.
#include "engines/match/ladder.h"

namespace fuhyo::match {

std::vector<Contestant> ladder() {
  std::vector<Contestant> rungs;
  rungs.reserve(std::size(kLadder));
  for (const Rung& rung : kLadder) rungs.push_back({.simple = std::string(rung.player), .rating = rung.rating});
  return rungs;
}

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

namespace {

std::expected<Ratings, std::string> rate(const std::vector<std::string>& names, const std::vector<Meetings>& games,
                                         RatingOptions options) {
  options.first_move = std::nullopt;
  auto rated = rate_pool(names, games, options);
  if (rated) return rated;
  options.first_move = 0;
  return rate_pool(names, games, options);
}

}  // namespace

std::expected<Ratings, std::string> rate_engines(const std::vector<Contestant>& engines, const Standings& standings) {
  std::vector<std::string> names;
  RatingOptions options;
  for (const Contestant& engine : engines) {
    if (engine.rating) options.fixed.emplace_back(static_cast<int>(names.size()), *engine.rating);
    names.push_back(engine.name);
  }
  return rate(names, meetings_of(standings), options);
}

int CrossTable::player(const std::string& name) {
  const auto [found, is_new] = numbers_.emplace(name, static_cast<int>(names_.size()));
  if (is_new) names_.push_back(name);
  return found->second;
}

void CrossTable::add(const PlayedGame& game) {
  if (!hashes_.insert(game_hash(game)).second) {
    ++repeats_;
    return;
  }
  const int black = player(game.names[shogi::BLACK]), white = player(game.names[shogi::WHITE]);
  Meetings& met = games_[{black, white}];
  met.black = black;
  met.white = white;
  met.black_wins += game.result == GameResult::black_wins;
  met.draws += game.result == GameResult::draw;
  met.white_wins += game.result == GameResult::white_wins;
}

std::expected<Ratings, std::string> CrossTable::rate() const {
  RatingOptions options;
  for (const Rung& rung : kLadder) {
    const auto found = numbers_.find(std::string(rung.player));
    if (found != numbers_.end()) options.fixed.emplace_back(found->second, rung.rating);
  }
  std::vector<Meetings> games;
  games.reserve(games_.size());
  for (const auto& [who, met] : games_) games.push_back(met);
  return match::rate(names_, games, options);
}

}  // namespace fuhyo::match
