#include "server/core/rating/shogi_server.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "server/core/rating/rated_id.h"
#include "server/core/rating/win_table.h"

namespace fuhyo::core::rating {
namespace {

constexpr double kMean = 1000;
constexpr double kBeyond = 10'000;
constexpr double kConfidence = 1.959963984540054;  // standard deviations of 95 %

std::vector<double> strengths(const RatedGroup& group, const WinTable& table, const PlayerRatings* former) {
  if (former == nullptr) return strengths_as_mk_rate(group.members.size(), group.duels);
  std::vector<double> start;
  for (const std::uint32_t member : group.members) {
    const auto known = former->players.find(table.players[member].id);
    const bool rated = known != former->players.end() && known->second.group != kUnratedGroup;
    start.push_back((rated ? known->second.rate - kMean : 0) * kPoint);
  }
  return strengths_from(std::move(start), group.duels);
}

// Rates of a group with the mean 1000.
std::vector<double> rates_of(std::vector<double> rates) {
  double mean = 0;
  for (double& rate : rates) mean += (rate /= kPoint);
  mean /= static_cast<double>(rates.size());
  for (double& rate : rates) rate += kMean - mean;
  return rates;
}

// What moves the group so that the fixed player has his rate; 0 if he is not in it.
double shift(const RatedGroup& group, const WinTable& table, const std::vector<double>& rates,
             const ShogiServerRules& rules) {
  if (!rules.fixed) return 0;
  double by_part = 0;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const std::string& id = table.players[group.members[i]].id;
    const double offset = rules.fixed->rate - std::trunc(rates[i]);
    if (id == rules.fixed->player) return offset;
    if (id.contains(rules.fixed->player)) by_part = offset;
  }
  return by_part;
}

void add_group(ShogiServerRatings& out, std::int32_t number, const RatedGroup& group, const WinTable& table,
               const std::vector<double>& rates, double shift) {
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const WinTable::Player& player = table.players[group.members[i]];
    out.exact.emplace(player.id, rates[i]);
    out.table.players.emplace(player.id, PlayerRating{.name = std::string(name_of(player.id)),
                                                      .rate = std::trunc(rates[i]) + shift,
                                                      .group = number,
                                                      .win = group.win[i],
                                                      .loss = group.loss[i],
                                                      .last_modified = player.newest});
  }
}

void add_errors(ShogiServerRatings& out, const RatedGroup& group, const WinTable& table,
                const std::vector<double>& deviation) {
  for (std::size_t i = 0; i < deviation.size(); ++i) {
    out.error.emplace(table.players[group.members[i]].id, kConfidence * deviation[i] / kPoint);
  }
}

void add_unrated(PlayerRatings& out, const WinTable& table) {
  for (const WinTable::Player& player : table.players) {
    if (out.players.contains(player.id) || (player.win < 1 && player.loss < 1)) continue;
    out.players.emplace(player.id, PlayerRating{.name = std::string(name_of(player.id)),
                                                .rate = 0,
                                                .group = kUnratedGroup,
                                                .win = player.win,
                                                .loss = player.loss,
                                                .last_modified = player.newest});
  }
}

}  // namespace

std::expected<ShogiServerRatings, std::string> rate_as_shogi_server(const Games& games, const ShogiServerRules& rules,
                                                                    const PlayerRatings* former) {
  const WinTable table(games, rules);
  ShogiServerRatings out;
  std::int32_t number = 0;
  for (const RatedGroup& group : rated_groups(table)) {
    std::vector<double> strength = strengths(group, table, former);
    if (rules.with_errors) add_errors(out, group, table, strength_errors(strength, group.duels));
    const std::vector<double> found = rates_of(std::move(strength));
    add_group(out, number++, group, table, found, shift(group, table, found, rules));
  }
  for (const auto& [id, player] : out.table.players) {
    if (std::abs(player.rate) <= kBeyond) continue;
    return std::unexpected(fmt::format(
        "{} comes to a rate of {:.0f}: some players of his group beat others without ever losing to them, even "
        "indirectly, so that no finite rating fits",
        id, player.rate));
  }
  add_unrated(out.table, table);
  return out;
}

}  // namespace fuhyo::core::rating
