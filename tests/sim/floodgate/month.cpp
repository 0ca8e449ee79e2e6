#include "tests/sim/floodgate/month.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>

#include "server/core/floodgate/schedule.h"
#include "tests/sim/rng.h"

namespace fuhyo::sim {
namespace {

using namespace core::floodgate;
using core::kSecond;
using core::Wall;

constexpr std::int64_t kMinute = 60 * kSecond, kHour = 60 * kMinute;
constexpr std::int64_t kAfterGame = 5 * kSecond;  // until a player is back and waits again
constexpr int kOwnersOfTwo = 4;
// Central Europe in October 2026: the month has an hour twice.
const core::TimeZone kZone{{{0, 7200}, {1792890000, 3600}}};
constexpr std::int64_t kStart = 1790805600 * kSecond;  // 1 October 2026, 00:00 there

struct Player {
  Entrant entrant;
  double strength = 0;
  enum class State : std::uint8_t { away, waiting, playing } state = State::away;
  Wall change;       // away: comes back; else: leaves
  Wall free_at;      // playing: the game ends
  int balance = 0;   // games with Black less games with White
  std::string last;  // its last opponent
  int rounds = 0, sit_outs = 0, games = 0;
  std::map<std::string, int> last_met;  // the round
};

class Month {
 public:
  explicit Month(const MonthPlan& plan) : plan_(plan), rng_(plan.seed), draws_(plan.seed + 1) {
    for (int i = 0; i < plan.players; ++i) players_.push_back(new_player(i));
  }

  MonthCount run() {
    const Schedule schedule = parse_schedule("every 30 min\n").schedule;
    const Wall end{kStart + plan_.days * 24 * kHour};
    Wall now{kStart};
    Wall last_round{kStart - now.us % (30 * kMinute)};
    for (Wall due = *next_time(schedule, now, kZone); due < end; due = *next_time(schedule, now, kZone)) {
      advance(due);
      // The clock may be read a little late, as on a machine that has much to do; never early.
      now.us = due.us + static_cast<std::int64_t>(rng_.below(900'000));
      const bool on_time = now.us % (30 * kMinute) < kSecond && due.us - last_round.us == 30 * kMinute;
      count_.late_rounds += on_time ? 0 : 1;
      last_round = due;
      play_round(now);
    }
    for (const Player& player : players_) {
      if (player.games >= 50) count_.sat_out_of_100.push_back(100 * player.sit_outs / player.rounds);
    }
    return count_;
  }

 private:
  Player new_player(int number) {
    Player player;
    const std::string name = "player" + std::to_string(number);
    const int owner = number < 2 * kOwnersOfTwo ? number / 2 : number;
    // Names that have nothing in common, but for owners' marks in their trips.
    const std::string mixed = std::string(1, static_cast<char>('A' + number % 26)) + std::to_string(number * 7) + name;
    player.strength = 2000 + 500 * (rng_.unit() + rng_.unit() + rng_.unit() - 1.5) * 2;
    const bool unrated = rng_.chance(0.1);
    player.entrant = {mixed + "+" + std::to_string(100000 + owner), mixed,
                      unrated ? 0 : static_cast<int>(player.strength)};
    player.change = Wall{kStart + rng_.exponential(6 * kHour)};
    return player;
  }

  // Everybody's comings and goings up to `to`, each when it is due.
  void advance(Wall to) {
    for (Player& player : players_) {
      for (;;) {
        const bool playing = player.state == Player::State::playing;
        const Wall next = playing ? player.free_at : player.change;
        if (next >= to) break;
        if (playing)
          player.state = Player::State::waiting;
        else if (player.state == Player::State::waiting)
          leave(player, next);
        else
          come(player, next);
      }
    }
    finish_games(to);
  }
  void leave(Player& player, Wall at) {
    player.state = Player::State::away;
    player.entrant.estimated_rate = 0;
    player.change.us = at.us + kMinute + rng_.exponential(rng_.chance(0.2) ? 10 * kMinute : 10 * kHour);
  }
  void come(Player& player, Wall at) {
    player.state = Player::State::waiting;
    player.change.us = at.us + kMinute + rng_.exponential(12 * kHour);
  }

  struct Running {
    Played played;
    Wall ends;
  };
  // Results reach the history in the order in which games end.
  void finish_games(Wall to) {
    std::ranges::sort(running_, {}, [](const Running& game) { return game.ends; });
    const auto last = std::ranges::find_if(running_, [to](const Running& game) { return game.ends >= to; });
    for (auto it = running_.begin(); it != last; ++it) history_.record(it->played);
    running_.erase(running_.begin(), last);
  }

  void play_round(Wall now) {
    ++count_.rounds;
    Round round;
    round.number = ++number_;
    round.settings.method = plan_.method;
    std::vector<Player*> there;
    for (Player& player : players_) {
      if (player.state == Player::State::waiting) {
        round.entrants.push_back(player.entrant);
        there.push_back(&player);
        ++player.rounds;
      } else if (player.state == Player::State::playing) {
        round.others.push_back({player.entrant.name, player.entrant.rate, player.entrant.estimated_rate});
      }
    }
    count_.empty_rounds += there.size() < 2 ? 1 : 0;
    count_.players_in_rounds += static_cast<std::int64_t>(there.size());
    const Pairings pairings = pair(round, history_, draws_);
    for (std::size_t i = 0; i < pairings.estimated_rates.size(); ++i) {
      there[i]->entrant.estimated_rate = pairings.estimated_rates[i];
    }
    check_rematches(there, pairings);
    if (pairings.games.empty()) --number_;  // nobody played: no round
    for (const SitOut& out : pairings.sit_outs) {
      if (out.reason != SitOutReason::alone) sit_out(out.id);
    }
    for (const PairedGame& game : pairings.games) start(of(game.black), of(game.white), now);
  }

  Player& of(const std::string& id) {
    return *std::ranges::find(players_, id, [](const Player& player) { return player.entrant.id; });
  }
  void sit_out(const std::string& id) {
    ++count_.sit_outs;
    ++of(id).sit_outs;
    history_.sit_out(id, number_);
  }

  void check_rematches(const std::vector<Player*>& there, const Pairings& pairings) {
    const auto just_met = [this](const Player& a, const Player& b) {
      const auto met = a.last_met.find(b.entrant.id);
      return met != a.last_met.end() && met->second + 1 == static_cast<int>(number_);
    };
    int again = 0;
    for (const PairedGame& game : pairings.games) {
      const Player &a = of(game.black), &b = of(game.white);
      again += just_met(a, b) ? 1 : 0;
      count_.same_as_last += a.last == b.entrant.id || b.last == a.entrant.id ? 1 : 0;
    }
    count_.same_again += again;
    if (again == 0) return;
    std::vector<std::pair<std::size_t, std::size_t>> met;
    for (std::size_t i = 0; i < there.size(); ++i) {
      for (std::size_t j = i + 1; j < there.size(); ++j) {
        if (just_met(*there[i], *there[j])) met.emplace_back(i, j);
      }
    }
    count_.same_again_avoidable += can_be_paired_without(met, there.size()) ? 1 : 0;
  }

  void start(Player& black, Player& white, Wall now) {
    ++count_.pairs;
    if (black.entrant.rate != 0 && white.entrant.rate != 0) {
      ++count_.rated_pairs;
      count_.difference += std::abs(black.entrant.rate - white.entrant.rate);
    }
    const auto owner = [](const Player& player) { return player.entrant.id.substr(player.entrant.id.find('+')); };
    count_.one_owner += owner(black) == owner(white) ? 1 : 0;
    if (rng_.chance(0.02)) {  // one of them does not agree, and is cut; the other waits on
      ++count_.not_agreed;
      leave(rng_.chance(0.5) ? black : white, now);
      return;
    }
    const bool broken = rng_.chance(0.03);
    count_.broken_off += broken ? 1 : 0;
    ++count_.games;
    const double odds = 1 / (1 + std::pow(10, (white.strength - black.strength) / 400));
    const bool black_wins = rng_.unit() < odds;
    const bool drawn = !broken && rng_.chance(0.02);
    const Wall ends{now.us + (broken ? kMinute : 8 * kMinute) +
                    static_cast<std::int64_t>(rng_.below(broken ? 60 : 27)) * (broken ? 10 * kSecond : kMinute)};
    Played played{"", black.entrant.id, white.entrant.id, "", "", number_};
    if (!drawn) {
      played.winner = black_wins ? played.black : played.white;
      played.loser = black_wins ? played.white : played.black;
    }
    seat(black, white, 1, ends);
    seat(white, black, -1, ends);
    if (broken) leave(black_wins ? white : black, ends);
    running_.push_back({std::move(played), ends});
  }
  void seat(Player& player, const Player& opponent, int colour, Wall ends) {
    player.state = Player::State::playing;
    player.free_at.us = ends.us + kAfterGame;
    player.balance += colour;
    ++count_.balance[static_cast<std::size_t>(std::min(std::abs(player.balance), 7))];
    player.last = opponent.entrant.id;
    player.last_met[opponent.entrant.id] = static_cast<int>(number_);
    ++player.games;
  }

  MonthPlan plan_;
  Rng rng_;
  SeededDraws draws_;
  std::vector<Player> players_;
  History history_;
  std::vector<Running> running_;
  std::uint64_t number_ = 0;
  MonthCount count_;
};

}  // namespace

int MonthCount::player_rounds() const { return std::accumulate(balance.begin(), balance.end(), 0); }

double MonthCount::within(int balance_limit) const {
  const int inside = std::accumulate(balance.begin(), balance.begin() + balance_limit + 1, 0);
  return player_rounds() == 0 ? 1 : static_cast<double>(inside) / player_rounds();
}

bool can_be_paired_without(const std::vector<std::pair<std::size_t, std::size_t>>& met, std::size_t n) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  const std::set<std::pair<std::size_t, std::size_t>> forbidden(met.begin(), met.end());
  Graph graph(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!forbidden.contains({i, j})) boost::add_edge(i, j, graph);
    }
  }
  using Vertex = boost::graph_traits<Graph>::vertex_descriptor;
  using Index = boost::property_map<Graph, boost::vertex_index_t>::const_type;
  std::vector<Vertex> mate(n);
  // Edmonds' algorithm from an empty matching: the greedy start that is usual sorts by what is deprecated.
  boost::matching<Graph, Vertex*, Index, boost::edmonds_augmenting_path_finder, boost::empty_matching,
                  boost::no_matching_verifier>(graph, mate.data(), boost::get(boost::vertex_index, graph));
  return boost::matching_size(graph, mate.data()) == n / 2;
}

MonthCount run_month(const MonthPlan& plan) { return Month(plan).run(); }

}  // namespace fuhyo::sim
