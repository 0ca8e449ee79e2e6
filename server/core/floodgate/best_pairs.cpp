#include "server/core/floodgate/best_pairs.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include "server/core/floodgate/min_cost_matching.h"

namespace fuhyo::core::floodgate {
namespace {

constexpr int kWinStep = 200;
constexpr std::int64_t kApart = std::int64_t{1} << 56;
constexpr int kAnyRate = 1500;  // where nobody is rated, all are taken for the same

int strength_of_unrated(const Entrant& entrant, const std::map<std::string_view, int>& rated, int mean,
                        const History& history) {
  const Played* last = history.last_decided(entrant.id);
  if (last == nullptr) return mean;
  const bool won = last->winner == entrant.id;
  const auto opponent = rated.find(won ? last->loser : last->winner);
  return opponent == rated.end() ? mean : opponent->second + (won ? kWinStep : -kWinStep);
}

int run_after(const History::Standing& s, int colour) {
  return s.same_colour * colour > 0 ? std::abs(s.same_colour) + 1 : 1;
}

}  // namespace

std::vector<Contender> contenders(const Round& round, const History& history) {
  std::map<std::string_view, int> rated;
  std::int64_t sum = 0;
  for (const Entrant& entrant : round.entrants) {
    if (entrant.rate == 0) continue;
    rated.emplace(entrant.id, entrant.rate);
    sum += entrant.rate;
  }
  const int mean = rated.empty() ? kAnyRate : static_cast<int>(sum / static_cast<std::int64_t>(rated.size()));
  std::vector<Contender> field;
  for (const Entrant& entrant : round.entrants) {
    const int strength = entrant.rate != 0 ? entrant.rate : strength_of_unrated(entrant, rated, mean, history);
    field.push_back({&entrant, history.standing(entrant.id), strength, field.size()});
  }
  std::ranges::sort(field, {}, [](const Contender& one) { return std::pair(-one.strength, one.place); });
  return field;
}

Pairs cheapest_pairs(const Round& round, const std::vector<Contender>& block, const Costs& costs) {
  const std::size_t contenders = block.size();
  const auto apart = [&](std::size_t a, std::size_t b) {
    return round.apart.contains({block[a].entrant->id, block[b].entrant->id}) ||
           round.apart.contains({block[b].entrant->id, block[a].entrant->id});
  };
  const std::size_t n = contenders + contenders % 2;  // the last place of an odd number is "sits out"
  std::vector<std::int64_t> cost(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      cost[a * n + b] = cost[b * n + a] = b < contenders ? costs.pair(a, b) : costs.sit_out(a);
      if (b < contenders && apart(a, b)) cost[a * n + b] = cost[b * n + a] = kApart;
    }
  }
  const std::vector<std::size_t> partner = min_cost_matching(cost, n);
  Pairs found{{}, contenders};
  for (std::size_t a = 0; a < contenders; ++a) {
    if (partner[a] == contenders)
      found.left = a;
    else if (a < partner[a])
      found.pairs.emplace_back(a, partner[a]);
  }
  return found;
}

std::vector<std::size_t> blocks(std::size_t players) {
  std::vector<std::size_t> sizes;
  const std::size_t count = (players + kMostTogether - 1) / kMostTogether;
  for (std::size_t left = count; left > 0; --left) {
    const std::size_t size = left == 1 ? players : players / left / 2 * 2;
    sizes.push_back(size);
    players -= size;
  }
  return sizes;
}

ColourNeed colour_need(const History::Standing& a, const History::Standing& b) {
  const int black = who_has_black(a, b) <= 0 ? 1 : -1;  // of `a`
  return {std::max(std::abs(a.balance + black), std::abs(b.balance - black)),
          std::max(run_after(a, black), run_after(b, -black)),
          a.balance * b.balance > 0 || (a.balance == b.balance && a.same_colour * b.same_colour > 0)};
}

int who_has_black(const History::Standing& a, const History::Standing& b) {
  if (a.balance != b.balance) return a.balance - b.balance;
  return a.same_colour - b.same_colour;
}

void settle(const std::vector<Contender>& block, const Pairs& pairs, Draws& draws, Pairings& result) {
  for (const auto& [first, second] : pairs.pairs) {
    const Contender& a = block[first];
    const Contender& b = block[second];
    const int order = who_has_black(a.standing, b.standing);
    const bool a_is_black = order != 0 ? order < 0 : draws.below(2) == 0;
    result.games.push_back(a_is_black ? PairedGame{a.entrant->id, b.entrant->id}
                                      : PairedGame{b.entrant->id, a.entrant->id});
  }
  if (pairs.left < block.size()) result.sit_outs.push_back({block[pairs.left].entrant->id, SitOutReason::odd});
}

}  // namespace fuhyo::core::floodgate
