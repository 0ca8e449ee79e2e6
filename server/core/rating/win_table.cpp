#include "server/core/rating/win_table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "server/core/rating/components.h"
#include "server/core/rating/roster.h"

namespace fuhyo::core::rating {
namespace {

constexpr double kLeastWins = 1, kLeastLosses = 1, kLeastGames = 15;
constexpr double kMicrosecondsADay = 86'400e6;
constexpr double kLn2 = 0.693;  // mk_rate's

double weight(double age_days, const ShogiServerRules& rules) {
  if (age_days < rules.half_life_ignore_days) return 1;
  return std::exp(-kLn2 / rules.half_life_days * (age_days - rules.half_life_ignore_days));
}

// Age in days; nothing if the game does not count.
std::optional<double> counting_age(const PlayedGame& game, const ShogiServerRules& rules) {
  if (game.abnormal && (rules.abnormal_plies == 0 || game.plies <= rules.abnormal_plies)) return std::nullopt;
  if (game.score == Score::draw && rules.skip_draws) return std::nullopt;
  if (rules.base < game.ended) return std::nullopt;
  const double age_days = static_cast<double>(rules.base.us - game.ended.us) / kMicrosecondsADay;
  return age_days > rules.ignore_days ? std::nullopt : std::optional(age_days);
}

// Collects games between numbered players, in the order in which they are added.
class DuelBook {
 public:
  void add(std::uint32_t black, std::uint32_t white, Score score, double weight) {
    Duel& duel = between(std::min(black, white), std::max(black, white));
    const double black_share = score == Score::draw ? 0.5 : score == Score::black_wins ? 1 : 0;
    (black == duel.a ? duel.a_wins : duel.b_wins) += black_share * weight;
    (white == duel.a ? duel.a_wins : duel.b_wins) += (1 - black_share) * weight;
  }
  std::vector<Duel> take() { return std::move(duels_); }

 private:
  Duel& between(std::uint32_t a, std::uint32_t b) {
    const auto [place, fresh] = places_.try_emplace((std::uint64_t{a} << 32) | b, duels_.size());
    if (fresh) duels_.push_back({.a = a, .b = b});
    return duels_[place->second];
  }
  std::vector<Duel> duels_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

struct Totals {
  std::vector<double> win, loss;
  Totals(std::size_t players, const std::vector<Duel>& duels) : win(players), loss(players) {
    for (const Duel& duel : duels) {
      win[duel.a] += duel.a_wins;
      loss[duel.a] += duel.b_wins;
      win[duel.b] += duel.b_wins;
      loss[duel.b] += duel.a_wins;
    }
  }
  bool enough(std::uint32_t k) const {
    return win[k] >= kLeastWins && loss[k] >= kLeastLosses && win[k] + loss[k] >= kLeastGames;
  }
};

// The duels of those who stay when nobody else has too few games.
std::vector<Duel> telling_duels(const WinTable& table) {
  std::vector<Duel> duels = table.duels;
  for (;;) {
    const Totals totals(table.players.size(), duels);
    const auto dropped =
        std::erase_if(duels, [&](const Duel& duel) { return !totals.enough(duel.a) || !totals.enough(duel.b); });
    if (dropped == 0) return duels;
  }
}

RatedGroup make_group(std::vector<std::uint32_t> members, const std::vector<Duel>& duels, std::size_t players) {
  RatedGroup group;
  std::vector<std::int64_t> place(players, -1);
  for (std::size_t i = 0; i < members.size(); ++i) place[members[i]] = static_cast<std::int64_t>(i);
  for (const Duel& duel : duels) {
    if (place[duel.a] < 0) continue;
    group.duels.push_back({.a = static_cast<std::uint32_t>(place[duel.a]),
                           .b = static_cast<std::uint32_t>(place[duel.b]),
                           .a_wins = duel.a_wins,
                           .b_wins = duel.b_wins});
  }
  Totals totals(members.size(), group.duels);
  group.members = std::move(members);
  group.win = std::move(totals.win);
  group.loss = std::move(totals.loss);
  return group;
}

}  // namespace

WinTable::WinTable(const Games& games, const ShogiServerRules& rules) {
  const Roster roster(games);
  for (const std::string& id : roster.ids()) players.push_back({.id = id});
  DuelBook book;
  for (const PlayedGame& game : games.games()) {
    const auto black = roster.rated(game.black), white = roster.rated(game.white);
    const auto age_days = counting_age(game, rules);
    if (!black || !white || *black == *white || !age_days) continue;
    book.add(*black, *white, game.score, weight(*age_days, rules));
    for (const std::uint32_t player : {*black, *white}) {
      players[player].newest = std::max(players[player].newest, game.ended);
    }
  }
  duels = book.take();
  std::ranges::sort(duels, {}, [](const Duel& duel) { return std::pair(duel.a, duel.b); });
  const Totals totals(players.size(), duels);
  for (std::size_t k = 0; k < players.size(); ++k) {
    players[k].win = totals.win[k];
    players[k].loss = totals.loss[k];
  }
}

std::vector<RatedGroup> rated_groups(const WinTable& table) {
  const std::vector<Duel> duels = telling_duels(table);
  Components components(table.players.size());
  std::vector<char> named(table.players.size());
  for (const Duel& duel : duels) {
    components.join(duel.a, duel.b);
    named[duel.a] = named[duel.b] = 1;
  }
  std::vector<std::vector<std::uint32_t>> members(table.players.size());
  for (std::uint32_t k = 0; k < table.players.size(); ++k) {
    if (named[k] != 0) members[components.root(k)].push_back(k);
  }
  std::erase_if(members, [](const auto& group) { return group.empty(); });
  // Of two groups of one size the one with the first player comes first.
  std::ranges::sort(members, [](const auto& a, const auto& b) {
    return std::pair(b.size(), a.front()) < std::pair(a.size(), b.front());
  });
  std::vector<RatedGroup> groups;
  groups.reserve(members.size());
  for (auto& group : members) groups.push_back(make_group(std::move(group), duels, table.players.size()));
  return groups;
}

}  // namespace fuhyo::core::rating
