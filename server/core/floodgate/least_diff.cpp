#include "server/core/floodgate/least_diff.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace fuhyo::core::floodgate {
namespace {

constexpr int kUnknownRate = 2150;
constexpr int kWinStep = 200;
constexpr std::size_t kAllOrders = 7;  // up to so many players every order is tried
constexpr std::uint64_t kMostTrials = 300, kFewestTrials = 10;
constexpr std::int64_t kAgain = 400, kUnratedAgain = 4000, kTwoHumans = 800;

using Players = std::vector<const Entrant*>;

// Ways to make n/2 pairs of n players: (n-1)(n-3)...1. More than kMostTrials needs are not counted on.
std::uint64_t sets_of_pairs(std::size_t n) {
  std::uint64_t sets = 1;
  for (std::size_t k = n - 1; n > 2 && k > 1 && sets < 3 * kMostTrials; k -= 2) sets *= k;
  return sets;
}

class Scorer {
 public:
  Scorer(Strengths& strengths, const History& history) : strengths_(strengths), history_(history) {}

  std::int64_t score(const Players& order) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
      sum += std::abs(std::int64_t{strengths_.of(*order[i])} - strengths_.of(*order[i + 1]));
    }
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) sum += penalty(*order[i], *order[i + 1]);
    return sum;
  }

 private:
  std::int64_t penalty(const Entrant& a, const Entrant& b) {
    std::int64_t sum = 0;
    if (last_opponent(a) == b.id || last_opponent(b) == a.id) {
      sum += kAgain;
      if (strengths_.estimated(a) != 0 || strengths_.estimated(b) != 0) sum += kUnratedAgain;
    }
    if (is_human(a.name) && is_human(b.name)) sum += kTwoHumans;
    return sum + kin_penalty(a.id, b.id);
  }
  // Asked for thousands of times: looked up once a player.
  std::string_view last_opponent(const Entrant& entrant) {
    const auto [found, added] = last_.try_emplace(&entrant);
    if (added) found->second = history_.last_opponent(entrant.id);
    return found->second;
  }

  Strengths& strengths_;
  const History& history_;
  std::map<const Entrant*, std::string_view> last_;
};

// Every order, in the order of Ruby's Array#permutation: lexicographic by place. The first of the best is taken.
Players best_of_all(const Players& players, Scorer& scorer) {
  std::vector<std::size_t> places(players.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  Players best;
  std::int64_t least = 0;
  do {
    Players order;
    for (const std::size_t place : places) order.push_back(players[place]);
    const std::int64_t score = scorer.score(order);
    if (best.empty() || score < least) {
      least = score;
      best = std::move(order);
    }
  } while (std::ranges::next_permutation(places).found);
  return best;
}

Players best_of_some(const Players& players, Scorer& scorer, Draws& draws) {
  const std::uint64_t trials =
      std::max(kFewestTrials, std::min(kMostTrials, sets_of_pairs(players.size() / 2 * 2) / 3));
  Players best;
  std::int64_t least = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    Players order = players;
    shuffle(order, draws);
    const std::int64_t score = scorer.score(order);
    if (best.empty() || score < least) {
      least = score;
      best = std::move(order);
    }
  }
  return best;
}

}  // namespace

Strengths::Strengths(const Round& round, const History& history) : history_(history) {
  for (const Online& other : round.others) on_line_[other.name] = {other.rate, other.estimated_rate};
  for (const Entrant& entrant : round.entrants) on_line_[entrant.name] = {entrant.rate, entrant.estimated_rate};
}

void Strengths::forget(const Entrant& entrant) { on_line_[entrant.name].estimated = 0; }

int Strengths::of(const Entrant& entrant) {
  if (entrant.rate != 0) return entrant.rate;
  // 0 is no estimate; one that comes to 0 is made again each time it is asked for, and may differ then.
  if (on_line_[entrant.name].estimated == 0) estimate(entrant);
  return on_line_[entrant.name].estimated;
}

int Strengths::estimated(const Entrant& entrant) const {
  const auto found = on_line_.find(entrant.name);
  return found == on_line_.end() ? 0 : found->second.estimated;
}

void Strengths::estimate(const Entrant& entrant) {
  int& estimated = on_line_[entrant.name].estimated;
  estimated = kUnknownRate;
  const Played* last = history_.last_decided(entrant.id);
  if (last == nullptr || (last->winner != entrant.id && last->loser != entrant.id)) return;
  const bool won = last->winner == entrant.id;
  const std::string& opponent = won ? last->loser : last->winner;
  const auto found = on_line_.find(std::string_view(opponent).substr(0, opponent.find('+')));
  if (found == on_line_.end()) return;
  const int rate = found->second.rate != 0 ? found->second.rate : found->second.estimated;
  if (rate != 0) estimated = rate + (won ? kWinStep : -kWinStep);
}

int kin_penalty(std::string_view id, std::string_view other) {
  if (id.substr(0, 7) == other.substr(0, 7)) return 800;
  return id.substr(0, 4) == other.substr(0, 4) ? 400 : 0;
}

void order_by_least_diff(std::vector<const Entrant*>& players, Strengths& strengths, const History& history,
                         Draws& draws) {
  if (players.size() < 3) return;
  for (const Entrant* player : players) strengths.forget(*player);
  Scorer scorer(strengths, history);
  players = players.size() <= kAllOrders ? best_of_all(players, scorer) : best_of_some(players, scorer, draws);
}

}  // namespace fuhyo::core::floodgate
