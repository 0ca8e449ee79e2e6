#include "tests/sim/floodgate/month.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>

#include "server/core/rating/table.h"
#include "tests/sim/rng.h"
#include "tests/support/virtual_server.h"

namespace fuhyo::sim {
namespace {

using namespace core::floodgate;

// Milliseconds.
constexpr std::int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kHalfHour = 30 * kMinute;
constexpr std::int64_t kLook = 20 * kSecond;      // how often the world looks at what the server did
constexpr std::int64_t kAfterGame = 5 * kSecond;  // until a player is back and waits again
constexpr int kOwnersOfTwo = 4;
constexpr std::string_view kGroup = "floodgate-3600-0";
// In the month's second week clocks are set back: an hour comes twice.
const core::TimeZone kZone{{{0, 7200}, {test::kStartWall.us / core::kSecond + 10 * 86400, 3600}}};

struct Player {
  std::string name, trip;
  double strength = 0;
  bool rated = true;
  enum class State : std::uint8_t { away, waiting, playing } state = State::away;
  bool wants_to_leave = false;
  int balance = 0;   // games with Black less games with White
  std::string last;  // its last opponent
  int rounds = 0, sit_outs = 0, games = 0;
  std::map<std::string, std::int64_t> last_met;  // the round
};

struct Game {
  Player *black = nullptr, *white = nullptr;
};

// The world around the production server: 60 players in CSA mode, and a clock that jumps from act to act.
class Month {
 public:
  explicit Month(const MonthPlan& plan) : plan_(plan), rng_(plan.seed), server_(rules()) {
    for (int i = 0; i < plan.players; ++i) add_player(i);
    server_.deliver(core::RatingsChanged{ratings()});
    ScheduleFile file = parse_schedule(fmt::format("every 30 min\nset pairing_factory {}\n", to_string(plan.method)));
    server_.deliver(core::GroupChanged{
        {.game_name = std::string(kGroup), .schedule = std::move(file.schedule), .settings = file.settings}});
  }

  MonthCount run() {
    const std::int64_t end = plan_.days * 24 * kHour;
    for (Player& player : players_) after(rng_.exponential(6 * kHour), [this, &player] { come_to_stay(player); });
    after(kLook, [this] { look(); });
    after(to_half_hour() - 1, [this] { before_round(); });
    while (!agenda_.empty() && agenda_.begin()->first < end) {
      const auto act = agenda_.extract(agenda_.begin());
      server_.advance_to(act.key());
      see_what_happened();
      act.mapped()();
      see_what_happened();
    }
    for (const Player& player : players_) {
      if (player.games >= 50) count_.sat_out_of_100.push_back(100 * player.sit_outs / player.rounds);
    }
    return count_;
  }

 private:
  static core::Rules rules() {
    core::Rules rules = test::test_rules();
    rules.zone = kZone;
    return rules;
  }
  void add_player(int number) {
    Player player;
    // Names that have nothing in common, but for owners' trips.
    player.name = fmt::format("{}{}player{}", static_cast<char>('A' + number % 26), number * 7, number);
    player.trip = fmt::format("trip{}", number < 2 * kOwnersOfTwo ? number / 2 : number);
    player.strength = 2000 + 500 * (rng_.unit() + rng_.unit() + rng_.unit() - 1.5) * 2;
    player.rated = !rng_.chance(0.1);
    players_.push_back(std::move(player));
  }
  std::shared_ptr<const core::PlayerRatings> ratings() {
    auto table = std::make_shared<core::PlayerRatings>();
    for (const Player& player : players_) {
      if (!player.rated) continue;
      core::PlayerRating rating;
      rating.name = player.name;
      rating.rate = std::floor(player.strength);
      table->players.emplace(id_of(player), rating);
    }
    return table;
  }
  std::string id_of(const Player& player) { return player.name + "+" + test::test_rules().trip_hash(player.trip); }
  Player& by_name(std::string_view name) { return *std::ranges::find(players_, name, &Player::name); }
  Player& by_id(std::string_view id) { return by_name(id.substr(0, id.find('+'))); }

  void after(std::int64_t ms, std::function<void()> act) { agenda_.emplace(server_.now_ms() + ms, std::move(act)); }
  std::int64_t wall_ms() const { return test::kStartWall.us / 1000 + server_.now_ms(); }
  std::int64_t to_half_hour() const { return kHalfHour - wall_ms() % kHalfHour; }

  // ---- players ----

  void come(Player& player) {
    if (player.state != Player::State::away) return;
    player.state = Player::State::waiting;
    player.wants_to_leave = false;
    server_.open(player.name);
    server_.say(player.name, fmt::format("LOGIN {} {},{}", player.name, kGroup, player.trip));
    server_.heard(player.name);
  }
  // A stay lasts from a player's coming over any number of games.
  void come_to_stay(Player& player) {
    if (player.state != Player::State::away) return;
    come(player);
    after(kMinute + rng_.exponential(12 * kHour), [this, &player] {
      player.wants_to_leave = true;
      if (player.state == Player::State::waiting) leave(player);
    });
  }
  void leave(Player& player) {
    if (server_.is_open(player.name)) server_.hang_up(player.name);
    player.state = Player::State::away;
    after(kMinute + rng_.exponential(rng_.chance(0.2) ? 10 * kMinute : 10 * kHour),
          [this, &player] { come_to_stay(player); });
  }
  // The server is done with a game of the player's; in CSA mode it may have closed the line.
  void be_back(Player& player) {
    if (server_.is_open(player.name)) {
      player.state = Player::State::waiting;
      if (player.wants_to_leave) leave(player);
      return;
    }
    player.state = Player::State::away;
    if (player.wants_to_leave) return leave(player);
    after(kAfterGame, [this, &player] { come(player); });
  }

  // ---- rounds ----

  void look() {
    after(kLook, [this] { look(); });
  }

  // A millisecond before each half hour: whether a round must follow.
  void before_round() {
    const auto waiting = std::ranges::count(players_, Player::State::waiting, &Player::state);
    const std::int64_t due = wall_ms() + 1;
    ++count_.rounds;
    count_.players_in_rounds += waiting;
    count_.empty_rounds += waiting < 2 ? 1 : 0;
    for (Player& player : players_) player.rounds += player.state == Player::State::waiting ? 1 : 0;
    if (waiting >= 2) {
      after(kSecond + 1, [this, due] { count_.late_rounds += last_round_ < due || last_round_ >= due + kSecond; });
    }
    after(1, [this] { after(to_half_hour() - 1, [this] { before_round(); }); });
  }

  void see_what_happened() {
    while (seen_ < server_.journal().size()) {
      const core::Fact fact = server_.journal()[seen_++].fact;
      std::visit([this](const auto& f) { see(f); }, fact);
    }
  }
  template <class Other>
  void see(const Other&) {}

  void see(const core::RoundHeld& round) {
    last_round_ = round.at.us / 1000;
    count_.late_rounds += last_round_ % kHalfHour >= kSecond ? 1 : 0;  // at a time that is none
    number_ = round.number;
    std::vector<Player*> there;
    std::vector<Game> games;
    for (const std::string& pair : round.games) {
      const std::size_t blank = pair.find(' ');
      games.push_back({&by_id(pair.substr(0, blank)), &by_id(pair.substr(blank + 1))});
      there.insert(there.end(), {games.back().black, games.back().white});
      count_pair(*games.back().black, *games.back().white);
    }
    for (const std::string& id : round.sat_out) {
      there.push_back(&by_id(id));
      ++there.back()->sit_outs;
      ++count_.sit_outs;
    }
    check_rematches(there, games);
    of_round_ = {round.games.begin(), round.games.end()};
  }
  void count_pair(const Player& black, const Player& white) {
    ++count_.pairs;
    count_.one_owner += black.trip == white.trip ? 1 : 0;
    if (!black.rated || !white.rated) return;
    ++count_.rated_pairs;
    count_.difference += std::abs(static_cast<int>(black.strength) - static_cast<int>(white.strength));
  }
  bool just_met(const Player& a, const Player& b) const {
    const auto met = a.last_met.find(b.name);
    return met != a.last_met.end() && met->second + 1 == number_;
  }
  void check_rematches(const std::vector<Player*>& there, const std::vector<Game>& games) {
    int again = 0;
    for (const Game& game : games) {
      again += just_met(*game.black, *game.white) ? 1 : 0;
      count_.same_as_last += game.black->last == game.white->name || game.white->last == game.black->name ? 1 : 0;
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

  // ---- games ----

  void see(const core::GameOpened& opened) {
    const Game game{&by_name(opened.black.name), &by_name(opened.white.name)};
    games_.emplace(opened.game, game);
    game.black->state = game.white->state = Player::State::playing;
    count_.made_good += of_round_.contains(opened.black.id + " " + opened.white.id) ? 0 : 1;
    Player* culprit = rng_.chance(0.02) ? (rng_.chance(0.5) ? game.black : game.white) : nullptr;
    for (Player* player : {game.black, game.white}) {
      if (player == culprit) continue;
      after(kSecond, [this, player] {
        if (server_.is_open(player->name)) server_.say(player->name, "AGREE");
      });
    }
    if (culprit == nullptr) return;
    ++count_.not_agreed;
    culprit->wants_to_leave = true;
    if (rng_.chance(0.3)) return;  // says nothing until the time for it is over
    const bool refuses = rng_.chance(0.3);
    after(2 * kSecond, [this, culprit, refuses] {
      if (!server_.is_open(culprit->name)) return;
      if (refuses) return server_.say(culprit->name, "REJECT");
      server_.hang_up(culprit->name);
    });
  }
  void see(const core::GameRejected& rejected) { finish(rejected.game); }
  void see(const core::GameEnded& ended) { finish(ended.game); }
  void finish(core::GameId id) {
    const auto game = games_.extract(id);
    for (Player* player : {game.mapped().black, game.mapped().white}) {
      server_.heard(player->name);
      be_back(*player);
    }
  }

  void see(const core::GameStarted& started) {
    const auto [black, white] = games_.at(started.game);
    ++count_.games;
    sit_down(*black, *white, 1);
    sit_down(*white, *black, -1);
    const bool broken = rng_.chance(0.03);
    count_.broken_off += broken ? 1 : 0;
    const double odds = 1 / (1 + std::pow(10, (white->strength - black->strength) / 400));
    const bool black_wins = rng_.unit() < odds;
    const bool drawn = !broken && rng_.chance(0.02);
    const std::int64_t length = broken ? kMinute + rng_.between(0, 600) * kSecond : rng_.between(8, 35) * kMinute;
    after(length, [this, b = black, w = white, broken, black_wins, drawn] {
      Player& loser = black_wins ? *w : *b;
      if (drawn) return repeat(*b, *w);
      if (broken) {
        loser.wants_to_leave = true;
        return server_.hang_up(loser.name);
      }
      if (black_wins) server_.say(b->name, "+7776FU");
      server_.say(loser.name, "%TORYO");
    });
  }
  // Rooks step aside and back until it is a draw.
  void repeat(const Player& black, const Player& white) {
    for (int i = 0; i < 4; ++i) {
      server_.say(black.name, "+2838HI");
      if (i == 3) return;
      server_.say(white.name, "-8272HI");
      server_.say(black.name, "+3828HI");
      server_.say(white.name, "-7282HI");
    }
  }
  void sit_down(Player& player, const Player& opponent, int colour) {
    player.balance += colour;
    ++count_.balance[static_cast<std::size_t>(std::min(std::abs(player.balance), 7))];
    player.last = opponent.name;
    player.last_met[opponent.name] = number_;
    ++player.games;
  }

  MonthPlan plan_;
  Rng rng_;
  test::VirtualServer server_;
  std::vector<Player> players_;
  std::multimap<std::int64_t, std::function<void()>> agenda_;  // by virtual time, ms
  std::map<core::GameId, Game> games_;                         // agreed to or not, not ended
  std::set<std::string> of_round_;                             // pairs of the newest round, "<id> <id>"
  std::size_t seen_ = 0;                                       // rows of the journal
  std::int64_t number_ = 0, last_round_ = 0;                   // of the newest round; when it was held, ms
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
