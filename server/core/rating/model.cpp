#include "server/core/rating/model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

#include "server/core/rating/components.h"
#include "server/core/rating/davidson.h"
#include "server/core/rating/dense.h"
#include "server/core/rating/duels.h"
#include "server/core/rating/roster.h"

namespace fuhyo::core::rating {
namespace {

using Vector = std::vector<double>;

constexpr double kMicrosecondsADay = 86'400e6;
constexpr double kConfidence = 1.959963984540054;  // standard deviations of 95 %

double weight(const PlayedGame& game, const ModelRules& rules) {
  if (!rules.base || rules.half_life_days == 0) return 1;
  const double age_days = static_cast<double>(rules.base->us - game.ended.us) / kMicrosecondsADay;
  return std::exp2(-age_days / rules.half_life_days);
}

// The games that count, between rated players.
Games counting_games(const Games& all, const ModelRules& rules) {
  const Roster roster(all);
  Games counting;
  for (PlayedGame game : all.games()) {
    const auto black = roster.rated(game.black), white = roster.rated(game.white);
    if (!black || !white || *black == *white || (rules.base && *rules.base < game.ended)) continue;
    if (game.score == Score::draw && rules.draws == Draws::skip) continue;
    game.black = counting.player(roster.ids()[*black]);
    game.white = counting.player(roster.ids()[*white]);
    counting.add(game);
  }
  return counting;
}

std::vector<Cell> gather(const Games& games, const Roster& roster, const ModelRules& rules) {
  std::vector<Cell> cells;
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (const PlayedGame& game : games.games()) {
    const std::uint32_t black = roster.rated(game.black).value(), white = roster.rated(game.white).value();
    const auto [place, fresh] = places.try_emplace((std::uint64_t{black} << 32) | white, cells.size());
    if (fresh) cells.push_back({.black = black, .white = white});
    Cell& cell = cells[place->second];
    const double counts = weight(game, rules);
    if (game.score == Score::draw)
      cell.draws += counts;
    else
      (game.score == Score::black_wins ? cell.black_wins : cell.white_wins) += counts;
  }
  return cells;
}

std::vector<ModelPlayer> count_points(const Roster& roster, const std::vector<Cell>& cells) {
  std::vector<ModelPlayer> players;
  for (const std::string& id : roster.ids()) players.push_back({.id = id});
  for (const Cell& cell : cells) {
    ModelPlayer& black = players[cell.black];
    ModelPlayer& white = players[cell.white];
    black.wins += cell.black_wins;
    black.losses += cell.white_wins;
    white.wins += cell.white_wins;
    white.losses += cell.black_wins;
    black.draws += cell.draws;
    white.draws += cell.draws;
  }
  return players;
}

std::size_t count_groups(std::size_t players, const std::vector<Cell>& cells) {
  Components components(players);
  for (const Cell& cell : cells) components.join(cell.black, cell.white);
  std::vector<char> played(players);
  for (const Cell& cell : cells) played[cell.black] = played[cell.white] = 1;
  std::size_t groups = 0;
  for (std::uint32_t k = 0; k < players; ++k) groups += played[k] != 0 && components.root(k) == k ? 1 : 0;
  return groups;
}

// Errors of rates, and who is above whom, from the covariance of the strengths.
class Uncertainty {
 public:
  Uncertainty(SquareMatrix covariance, std::size_t players, std::optional<std::size_t> anchor)
      : c_(std::move(covariance)), anchor_(anchor), row_mean_(players) {
    for (std::size_t i = 0; i < players; ++i) {
      for (std::size_t j = 0; j < players; ++j) row_mean_[i] += c_.at(i, j) / static_cast<double>(players);
      mean_ += row_mean_[i] / static_cast<double>(players);
    }
  }
  double of_rate(std::size_t i) const {
    const double variance = anchor_ ? variance_between(i, *anchor_) : c_.at(i, i) - 2 * row_mean_[i] + mean_;
    return kConfidence * std::sqrt(std::max(variance, 0.0)) / kPoint;
  }
  double of_unknown(std::size_t i) const { return kConfidence * std::sqrt(c_.at(i, i)); }
  // The probability that i is stronger than j by what they were found to differ.
  double above(std::size_t i, std::size_t j, double difference) const {
    return std::erfc(-difference / std::sqrt(2 * std::max(variance_between(i, j), 1e-300))) / 2;
  }

 private:
  double variance_between(std::size_t i, std::size_t j) const { return c_.at(i, i) + c_.at(j, j) - 2 * c_.at(i, j); }

  SquareMatrix c_;
  std::optional<std::size_t> anchor_;
  Vector row_mean_;
  double mean_ = 0;
};

// The figures of the found unknowns, in the order of strength.
void report(ModelRatings& out, const Davidson& model, const Vector& x, const ModelRules& rules,
            std::optional<std::size_t> anchor) {
  const std::size_t n = out.players.size();
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) mean += x[i] / kPoint / static_cast<double>(n);
  const double shift = anchor ? rules.anchor->rate - x[*anchor] / kPoint : rules.mean - mean;
  std::optional<Uncertainty> uncertainty;
  if (n <= kMostPlayersWithErrors) {
    if (auto covariance = inverse(model.curve_matrix())) uncertainty.emplace(std::move(*covariance), n, anchor);
  }
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-x[i], i); });
  std::vector<ModelPlayer> sorted;
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t i = order[place];
    ModelPlayer player = std::move(out.players[i]);
    player.rate = x[i] / kPoint + shift;
    if (uncertainty) player.error = uncertainty->of_rate(i);
    if (uncertainty && place + 1 < n) {
      player.above_next = uncertainty->above(i, order[place + 1], x[i] - x[order[place + 1]]);
    }
    sorted.push_back(std::move(player));
  }
  out.players = std::move(sorted);
  out.first_move.value = x[model.first_move()] / kPoint;
  if (uncertainty && model.is_free(model.first_move())) {
    out.first_move.error = uncertainty->of_unknown(model.first_move()) / kPoint;
  }
  if (!model.is_free(model.draw())) return;
  const double nu = std::exp(x[model.draw()]);
  out.draw_share.value = nu / (2 + nu);
  if (uncertainty) {
    out.draw_share.error = uncertainty->of_unknown(model.draw()) * 2 * nu / ((2 + nu) * (2 + nu));
  }
}

Vector first_guess(const Roster& roster, const ModelRules& rules, const std::map<std::string, double>* start) {
  Vector x(roster.ids().size() + 2);
  x[roster.ids().size()] = rules.first_move.value_or(0) * kPoint;
  if (start == nullptr) return x;
  for (std::size_t i = 0; i < roster.ids().size(); ++i) {
    if (const auto found = start->find(roster.ids()[i]); found != start->end()) {
      x[i] = (found->second - rules.mean) * kPoint;
    }
  }
  return x;
}

}  // namespace

std::expected<ModelRatings, std::string> rate_by_model(const Games& games, const ModelRules& rules,
                                                       const std::map<std::string, double>* start) {
  const Games counting = counting_games(games, rules);
  const Roster roster(counting);
  std::vector<Cell> cells = gather(counting, roster, rules);
  if (cells.empty()) return std::unexpected("no game counts");
  std::optional<std::size_t> anchor;
  if (rules.anchor) {
    const auto place = std::ranges::lower_bound(roster.ids(), rules.anchor->player);
    if (place == roster.ids().end() || *place != rules.anchor->player) {
      return std::unexpected(fmt::format("the anchor '{}' has no game that counts", rules.anchor->player));
    }
    anchor = static_cast<std::size_t>(place - roster.ids().begin());
  }
  ModelRatings out;
  out.players = count_points(roster, cells);
  out.games = counting.size();
  out.groups = count_groups(roster.ids().size(), cells);
  Davidson model(roster.ids().size(), std::move(cells), rules);
  const Vector x = model.most_likely(first_guess(roster, rules, start));
  report(out, model, x, rules, anchor);
  return out;
}

}  // namespace fuhyo::core::rating
