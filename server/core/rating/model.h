// Ratings beyond mk_rate's: draws and the first move are part of the model, every figure has its error, and players who
// never met, even indirectly, stand in one list, as uncertain to each other as they are. Pure.
//
// The model is Davidson's. With d = (black - white + first move) in natural units (400 points are ln 10),
//   P(black wins) : P(white wins) : P(draw) = e^(d/2) : e^(-d/2) : nu
// Davidson rather than Rao and Kupper, because a draw then says exactly as much as half a win for each, as shogi-server
// and every table of points count it, and because the likelihood is an exponential family: it has one maximum, which
// Newton's method finds from anywhere, and its curvature there is what the errors come from.
// Rates are drawn to their mean by a normal prior so wide that a few dozen games make it vanish; it keeps finite
// whoever won or lost everything, and groups that never met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/core/rating/games.h"

namespace fuhyo::core::rating {

enum class Draws : std::uint8_t {
  davidson,  // a result of its own, with a parameter
  half,      // half a win for each; no parameter (as mk_rate)
  skip,      // left out
};

struct ModelRules {
  Draws draws = Draws::davidson;
  // What the first move is worth, in points; nothing: found from the games.
  std::optional<double> first_move;
  double mean = 1000;  // of all rates, unless there is an anchor
  struct Anchor {
    std::string player;  // the id
    double rate = 0;
  };
  std::optional<Anchor> anchor;
  double prior_points = 2000;  // standard deviation of the prior; above 0
  // Games weigh half after so many days before `base`; 0: all weigh the same. Later ones than `base` do not count.
  double half_life_days = 0;
  std::optional<Wall> base;
};

struct ModelPlayer {
  std::string id;
  double rate = 0;
  std::optional<double> error;             // 95 %: the rate is within +- this (of the mean, or of the anchor)
  double wins = 0, draws = 0, losses = 0;  // weighted where games are
  std::optional<double> above_next;        // probability that he is stronger than the next one in the list
  double played() const { return wins + draws + losses; }
  double points() const { return wins + draws / 2; }
};

struct ModelParameter {
  double value = 0;
  std::optional<double> error;  // 95 %; nothing where the value was given
};

struct ModelRatings {
  std::vector<ModelPlayer> players;  // strongest first
  ModelParameter first_move;         // points
  ModelParameter draw_share;         // of games between equals, when neither has an advantage: 0 to 1
  std::size_t games = 0;             // that counted
  std::size_t groups = 0;            // of players who met, directly or by others
};

// `start`, if given: rates to begin the search with, by id; they change how long it takes, not what it finds.
// Fails if no game counts, or the anchor has none.
std::expected<ModelRatings, std::string> rate_by_model(const Games& games, const ModelRules& rules,
                                                       const std::map<std::string, double>* start = nullptr);

}  // namespace fuhyo::core::rating
