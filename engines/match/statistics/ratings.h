// Rates the players of a pool by their games, as Ordo and BayesElo, by Davidson's model (davidson.h). Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engines/match/linear.h"
#include "engines/match/statistics/davidson.h"

namespace fuhyo::match {

struct RatingOptions {
  std::vector<std::pair<int, double>> fixed{};  // players whose ratings are known, as on a ladder
  double mean = 0;                              // of the rated players, if no rating is fixed
  std::optional<double> first_move = 0;         // Elo; nothing: estimated from the games
};

enum class RatingStatus : std::uint8_t {
  rated,
  fixed,  // given
  above,  // won every game against rated players: stronger by an unknown margin
  below,  // lost every game against them
  apart,  // has no games against rated players, directly or by way of others
};

struct RatedPlayer {
  int player = 0;  // as in the names
  std::string name{};
  RatingStatus status = RatingStatus::rated;
  // Elo. Of who is above or below: the rating beyond which it is with 95 % confidence, by its own games against rated
  // players; nothing if it has none.
  std::optional<double> rating{};
  std::optional<double> error{};  // half the 95 % interval: against the fixed ones, or else against the pool's mean;
                                  // not of one that is rated alone
  std::int64_t wins = 0, draws = 0, losses = 0;

  double points() const { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
  std::int64_t played() const { return wins + draws + losses; }
};

struct Ratings {
  std::vector<RatedPlayer> players;          // the strongest first: above, rated, below, apart
  double first_move = 0;                     // Elo
  std::optional<double> first_move_error{};  // if it was estimated
  double draws_between_equals = 0;           // share of games
  Matrix covariance{0};                      // of the ratings, by row in `players`; 0 for those that are not rated

  // The probability that the player of row a is stronger than the one of row b (LOS, CFS); nothing if one is not rated.
  std::optional<double> superiority(std::size_t a, std::size_t b) const;
};

// The scale: between equals a point of rating is worth as much as on the scale of Elo, so that in small differences
// expected scores are 1 / (1 + 10^(-difference / 400)), whatever the share of draws is.
//
// Only players that are comparable (connected.h) are rated: those that are with the fixed ones, or else the largest set
// there is. An error says what is wrong: a player that does not exist or plays itself, a negative count, a rating fixed
// twice, a pool without a decided game.
std::expected<Ratings, std::string> rate_pool(std::span<const std::string> names, std::span<const Meetings> games,
                                              const RatingOptions& options);

// In Ordo's columns: rank, name, rating, error, points, games, %, CFS to the next, wins, draws, losses, draws in %.
std::string to_table(const Ratings& ratings);

}  // namespace fuhyo::match
