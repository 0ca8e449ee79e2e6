#include "server/core/floodgate/chains.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "server/core/floodgate/least_diff.h"

namespace fuhyo::core::floodgate {
namespace {

using Players = std::vector<const Entrant*>;

class Chain {
 public:
  Chain(const Round& round, const History& history, Draws& draws)
      : round_(round), history_(history), draws_(draws), strengths_(round, history) {
    for (const Entrant& entrant : round.entrants) players_.push_back(&entrant);
  }

  Pairings run() {
    const Method method = round_.settings.method;
    if (method == Method::floodgate_zyunisen) exclude_unrated();
    exclude_sacrifice();
    make_even();
    switch (method) {
      case Method::swiss_pairing:
        winners_first();
        break;
      case Method::random_pairing:
        shuffle(players_, draws_);
        break;
      case Method::sort_by_rate_with_randomness:
        sort_by_rate_and_lot(players_, 1200);
        break;
      default:
        order_by_least_diff(players_, strengths_, history_, draws_);
        break;
    }
    start_games_without_humans();
    for (const Entrant& entrant : round_.entrants) result_.estimated_rates.push_back(strengths_.estimated(entrant));
    return std::move(result_);
  }

 private:
  void leave_out(Players::iterator who, SitOutReason reason) {
    result_.sit_outs.push_back({(*who)->id, reason});
    players_.erase(who);
  }

  void exclude_unrated() {
    for (auto it = players_.begin(); it != players_.end();) {
      if ((*it)->rate == 0)
        leave_out(it, SitOutReason::unrated);
      else
        ++it;
    }
  }

  void exclude_sacrifice() {
    if (players_.size() % 2 == 0) return;
    const auto found = std::ranges::find(players_, round_.settings.sacrifice, &Entrant::id);
    if (found != players_.end()) leave_out(found, SitOutReason::sacrifice);
  }

  void make_even() {
    if (players_.size() % 2 == 0) return;
    leave_out(players_.begin() + static_cast<std::ptrdiff_t>(sample(players_.size(), draws_)), SitOutReason::odd);
  }

  // Ascending by rating plus what is drawn, equal ones in the order that they had.
  void sort_by_rate_and_lot(Players& players, std::uint64_t lot) {
    std::vector<std::tuple<std::int64_t, std::size_t, const Entrant*>> keyed;
    for (const Entrant* player : players) {
      keyed.emplace_back(player->rate + static_cast<std::int64_t>(draws_.below(lot)), keyed.size(), player);
    }
    std::ranges::sort(keyed);
    std::ranges::transform(keyed, players.begin(), [](const auto& entry) { return std::get<2>(entry); });
  }

  void winners_first() {
    if (players_.size() < 3) return;
    const auto won = [this](const Entrant* player) { return history_.won_last(player->id); };
    Players winners, rest;
    std::ranges::partition_copy(players_, std::back_inserter(winners), std::back_inserter(rest), won);
    sort_by_rate_and_lot(winners, 800);
    sort_by_rate_and_lot(rest, 200);
    std::ranges::reverse(winners);
    std::ranges::reverse(rest);
    players_ = std::move(winners);
    players_.insert(players_.end(), rest.begin(), rest.end());
  }

  void start_game(const Entrant* first, const Entrant* second) {
    Players pair{first, second};
    shuffle(pair, draws_);
    result_.games.push_back({pair.front()->id, pair.back()->id});
  }

  bool human(std::size_t place) const { return is_human(players_[place]->name); }

  // The first of two humans who would meet: neighbours, the first at an even place.
  std::optional<std::size_t> first_of_two_humans() const {
    for (std::size_t place = 0; place + 1 < players_.size(); place += 2) {
      if (human(place) && human(place + 1)) return place;
    }
    return std::nullopt;
  }

  // The first of two humans who would meet plays the nearest computer, from two places before on; with no computer
  // there, the other human after all. Of two players from the start nothing is asked.
  void start_games_without_humans() {
    const bool only_two = players_.size() == 2;
    while (const auto place = only_two ? std::nullopt : first_of_two_humans()) {
      std::size_t other = *place >= 2 ? *place - 2 : 0;
      while (other < players_.size() && human(other)) ++other;
      if (other == players_.size()) other = *place + 1;
      const auto [low, high] = std::minmax(*place, other);
      const Entrant* first = players_[high];
      const Entrant* second = players_[low];
      players_.erase(players_.begin() + static_cast<std::ptrdiff_t>(high));
      players_.erase(players_.begin() + static_cast<std::ptrdiff_t>(low));
      start_game(first, second);
    }
    for (std::size_t place = 0; place + 1 < players_.size(); place += 2)
      start_game(players_[place], players_[place + 1]);
  }

  const Round& round_;
  const History& history_;
  Draws& draws_;
  Strengths strengths_;
  Players players_;
  Pairings result_;
};

}  // namespace

Pairings pair_as_shogi_server(const Round& round, const History& history, Draws& draws) {
  return Chain(round, history, draws).run();
}

}  // namespace fuhyo::core::floodgate
