// From a cross table to ratings: who can be rated, the fit on its own scale, and that scale as Elo.
#include "engines/match/statistics/ratings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "engines/match/statistics/connected.h"
#include "engines/match/statistics/elo.h"

namespace fuhyo::match {
namespace {

using Failure = std::unexpected<std::string>;

constexpr double kEloPerUnit = 400 / std::numbers::ln10;

// Elo of a unit of strength. The expected score rises by 1 / (2 (2 + nu)) a unit where players are equal, and by
// ln 10 / 1600 a point of Elo.
double scale_of(double nu) { return kEloPerUnit * 2 / (2 + nu); }

std::optional<std::string> defect_of(std::size_t players, std::span<const Meetings> games,
                                     const RatingOptions& options) {
  const auto known = [&](int player) { return player >= 0 && std::cmp_less(player, players); };
  bool decided = false;
  for (const Meetings& each : games) {
    if (!known(each.black) || !known(each.white)) {
      return fmt::format("games of players {} and {}, and there are {} players", each.black, each.white, players);
    }
    if (each.black == each.white) return fmt::format("player {} plays itself", each.black);
    if (std::min({each.black_wins, each.draws, each.white_wins}) < 0) {
      return fmt::format("a negative number of games of players {} and {}", each.black, each.white);
    }
    decided = decided || each.black_wins + each.white_wins > 0;
  }
  std::vector<bool> seen(players);
  for (const auto& [player, rating] : options.fixed) {
    if (!known(player))
      return fmt::format("the rating of player {} is fixed, and there are {} players", player, players);
    if (seen[static_cast<std::size_t>(player)]) return fmt::format("the rating of player {} is fixed twice", player);
    if (!std::isfinite(rating)) return fmt::format("the rating of player {} is fixed to {}", player, rating);
    seen[static_cast<std::size_t>(player)] = true;
  }
  if (!decided) return "no game was won: there is nothing to rate by";
  return std::nullopt;
}

Taken taken_in(std::size_t players, std::span<const Meetings> games, const RatingOptions& options) {
  Taken taken(players, std::vector<bool>(players));
  const auto take = [&](int by, int from) {
    taken[static_cast<std::size_t>(by)][static_cast<std::size_t>(from)] = true;
  };
  for (const Meetings& each : games) {
    if (each.black_wins + each.draws > 0) take(each.black, each.white);
    if (each.white_wins + each.draws > 0) take(each.white, each.black);
  }
  for (const auto& [a, rating] : options.fixed) {
    for (const auto& [b, other] : options.fixed) take(a, b);
  }
  return taken;
}

class Pool {
 public:
  Pool(std::span<const std::string> names, std::span<const Meetings> games, const RatingOptions& options)
      : names_(names),
        games_(games),
        options_(options),
        reached_(reach(taken_in(names.size(), games, options))),
        rated_(comparable()),
        index_(names.size(), -1) {
    for (std::size_t i = 0; i < rated_.size(); ++i) index_[static_cast<std::size_t>(rated_[i])] = static_cast<int>(i);
    for (const Meetings& each : games_) {
      const int black = index_of(each.black), white = index_of(each.white);
      if (black < 0 || white < 0) continue;
      Meetings among = each;
      among.black = black;
      among.white = white;
      among_.push_back(among);
    }
  }

  std::expected<Ratings, std::string> rate() {
    if (auto fitted = fit(); !fitted) return Failure(std::move(fitted.error()));
    Ratings out;
    out.first_move = fit_.first_move * scale_;
    out.draws_between_equals = fit_.nu / (2 + fit_.nu);
    if (!options_.first_move) out.first_move_error = kZ95 * std::sqrt(variance(rated_.size(), rated_.size()));
    for (std::size_t i = 0; i < names_.size(); ++i) out.players.push_back(row_of(static_cast<int>(i)));
    std::ranges::sort(out.players, [](const RatedPlayer& a, const RatedPlayer& b) { return goes_before(a, b); });
    out.covariance = Matrix(out.players.size());
    for (std::size_t a = 0; a < out.players.size(); ++a) {
      for (std::size_t b = 0; b < out.players.size(); ++b) {
        const int i = index_of(out.players[a].player), j = index_of(out.players[b].player);
        if (i >= 0 && j >= 0)
          out.covariance.row(a)[b] = variance(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      }
    }
    return out;
  }

 private:
  int index_of(int player) const { return index_[static_cast<std::size_t>(player)]; }
  bool reaches(int a, int b) const { return reached_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]; }

  std::vector<int> comparable() const {
    if (options_.fixed.empty()) return largest_comparable(reached_);
    std::vector<int> out;
    const int anchor = options_.fixed.front().first;
    for (int i = 0; std::cmp_less(i, names_.size()); ++i) {
      if (reaches(i, anchor) && reaches(anchor, i)) out.push_back(i);
    }
    return out;
  }

  // The scale depends on the share of draws, and what is given in Elo depends on the scale.
  std::expected<void, std::string> fit() {
    constexpr int kRounds = 100;
    for (int round = 0; round < kRounds; ++round) {
      DavidsonModel model{.strengths = std::vector<std::optional<double>>(rated_.size()), .first_move = std::nullopt};
      if (options_.first_move) model.first_move = *options_.first_move / scale_;
      for (const auto& [player, rating] : options_.fixed) {
        model.strengths[static_cast<std::size_t>(index_of(player))] = (rating - origin()) / scale_;
      }
      auto fitted = fit_davidson(model, among_);
      if (!fitted) return Failure(std::move(fitted.error()));
      fit_ = std::move(*fitted);
      const double before = std::exchange(scale_, scale_of(fit_.nu));
      if (std::abs(scale_ - before) < 1e-9 * before) break;
    }
    return {};
  }

  // The rating of a player of strength 0.
  double origin() const { return options_.fixed.empty() ? options_.mean : options_.fixed.front().second; }
  double rating_of(double strength) const { return origin() + strength * scale_; }

  // Covariance of two ratings, by index; behind the last player, the first-move advantage. The scale is uncertain as
  // well, as far as it is not fixed by two ratings.
  double variance(std::size_t a, std::size_t b) const {
    const std::size_t draw = rated_.size() + 1;
    const auto lean = [&](std::size_t i) {
      if (options_.fixed.size() > 1) return 0.0;
      const double strength = i < rated_.size() ? fit_.strengths[i] : fit_.first_move;
      return -strength * scale_ * fit_.nu / (2 + fit_.nu);
    };
    const auto c = [&](std::size_t i, std::size_t j) { return fit_.covariance.row(i)[j]; };
    return scale_ * scale_ * c(a, b) + scale_ * (lean(b) * c(a, draw) + lean(a) * c(b, draw)) +
           lean(a) * lean(b) * c(draw, draw);
  }

  RatedPlayer row_of(int player) const {
    RatedPlayer row{.player = player, .name = names_[static_cast<std::size_t>(player)]};
    for (const Meetings& each : games_) {
      if (each.black == player) {
        row.wins += each.black_wins, row.draws += each.draws, row.losses += each.white_wins;
      } else if (each.white == player) {
        row.wins += each.white_wins, row.draws += each.draws, row.losses += each.black_wins;
      }
    }
    const int index = index_of(player);
    if (index < 0) {
      row.status = status_of(player);
      row.rating = bound_of(player, row.status);
      return row;
    }
    const auto at = static_cast<std::size_t>(index);
    row.rating = rating_of(fit_.strengths[at]);
    row.error = kZ95 * std::sqrt(std::max(variance(at, at), 0.0));
    const auto same = [&](const auto& fixed) { return fixed.first == player; };
    if (std::ranges::any_of(options_.fixed, same)) {
      row.status = RatingStatus::fixed;
      row.error.reset();
    }
    if (rated_.size() == 1) row.error.reset();  // it is the scale itself
    return row;
  }

  RatingStatus status_of(int player) const {
    if (rated_.empty()) return RatingStatus::apart;
    if (reaches(player, rated_.front())) return RatingStatus::above;
    return reaches(rated_.front(), player) ? RatingStatus::below : RatingStatus::apart;
  }

  // The logarithm of the probability that a player of this strength would have had such luck: won all its games
  // against rated players, or lost them all.
  double luck(int player, RatingStatus status, double strength) const {
    double sum = 0;
    for (const Meetings& each : games_) {
      const bool black = each.black == player;
      if (!black && each.white != player) continue;
      const int other = index_of(black ? each.white : each.black);
      if (other < 0) continue;
      const double lead = strength - fit_.strengths[static_cast<std::size_t>(other)];
      const Chances chance = chances(lead + (black ? fit_.first_move : -fit_.first_move), fit_.nu);
      sum += static_cast<double>(each.games()) * std::log(status == RatingStatus::above ? chance.win : chance.loss);
    }
    return sum;
  }

  std::optional<double> bound_of(int player, RatingStatus status) const {
    if (status == RatingStatus::apart || luck(player, status, 0) == 0) return std::nullopt;  // 0: no such games
    const double unlikely = std::log(0.05);
    double low = -50, high = 50;  // far beyond everything that a fit gives
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      const bool likely = luck(player, status, middle) > unlikely;
      (likely == (status == RatingStatus::above) ? high : low) = middle;
    }
    return rating_of(low);
  }

  static bool goes_before(const RatedPlayer& a, const RatedPlayer& b) {
    const auto place = [](RatingStatus status) {
      if (status == RatingStatus::above) return 0;
      if (status == RatingStatus::below) return 2;
      return status == RatingStatus::apart ? 3 : 1;
    };
    if (place(a.status) != place(b.status)) return place(a.status) < place(b.status);
    if (a.rating.value_or(0) != b.rating.value_or(0)) return a.rating.value_or(0) > b.rating.value_or(0);
    return a.player < b.player;
  }

  std::span<const std::string> names_;
  std::span<const Meetings> games_;
  const RatingOptions& options_;
  Taken reached_;
  std::vector<int> rated_;  // players, ascending; what follows is by place in here
  std::vector<int> index_;  // of a player in rated_; -1: it is not
  std::vector<Meetings> among_;
  DavidsonFit fit_;
  double scale_ = kEloPerUnit;
};

std::string number_or(std::optional<double> value, std::string_view otherwise) {
  return value ? fmt::format("{:.1f}", *value) : std::string(otherwise);
}

std::string rating_text(const RatedPlayer& row) {
  const char* mark = row.status == RatingStatus::above ? ">" : row.status == RatingStatus::below ? "<" : "";
  return row.rating ? fmt::format("{}{:.1f}", mark, *row.rating) : fmt::format("{}?", mark);
}

double percent(double part, std::int64_t of) { return of > 0 ? 100 * part / static_cast<double>(of) : 0; }

}  // namespace

std::optional<double> Ratings::superiority(std::size_t a, std::size_t b) const {
  const auto is_rated = [&](std::size_t row) {
    return players[row].status == RatingStatus::rated || players[row].status == RatingStatus::fixed;
  };
  if (a == b || !is_rated(a) || !is_rated(b)) return std::nullopt;
  const double lead = *players[a].rating - *players[b].rating;
  const double variance = covariance.row(a)[a] + covariance.row(b)[b] - 2 * covariance.row(a)[b];
  if (variance <= 0) return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;  // both are fixed
  return normal_cdf(lead / std::sqrt(variance));
}

std::expected<Ratings, std::string> rate_pool(std::span<const std::string> names, std::span<const Meetings> games,
                                              const RatingOptions& options) {
  if (auto defect = defect_of(names.size(), games, options)) return Failure(std::move(*defect));
  return Pool(names, games, options).rate();
}

std::string to_table(const Ratings& ratings) {
  std::size_t widest = std::string_view("PLAYER").size();
  for (const RatedPlayer& row : ratings.players) widest = std::max(widest, row.name.size());
  std::string out = fmt::format("   # {:<{}} : {:>8} {:>6} {:>8} {:>7} {:>5} {:>7} {:>6} {:>5} {:>6} {:>5}\n", "PLAYER",
                                widest, "RATING", "ERROR", "POINTS", "PLAYED", "(%)", "CFS(%)", "W", "D", "L", "D(%)");
  for (std::size_t i = 0; i < ratings.players.size(); ++i) {
    const RatedPlayer& row = ratings.players[i];
    const auto next = i + 1 < ratings.players.size() ? ratings.superiority(i, i + 1) : std::nullopt;
    const std::string cfs = next ? fmt::format("{:.0f}", 100 * *next) : "---";
    out += fmt::format("{:>4} {:<{}} : {:>8} {:>6} {:>8.1f} {:>7} {:>5.1f} {:>7} {:>6} {:>5} {:>6} {:>5.1f}\n", i + 1,
                       row.name, widest, rating_text(row), number_or(row.error, "---"), row.points(), row.played(),
                       percent(row.points(), row.played()), cfs, row.wins, row.draws, row.losses,
                       percent(static_cast<double>(row.draws), row.played()));
  }
  out += fmt::format("\nFirst-move advantage: {:.1f} Elo", ratings.first_move);
  if (ratings.first_move_error) out += fmt::format(" +- {:.1f}", *ratings.first_move_error);
  out += fmt::format("; draws between equals: {:.1f} %\n", 100 * ratings.draws_between_equals);
  return out;
}

}  // namespace fuhyo::match
