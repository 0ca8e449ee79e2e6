// The method `matching`: of all sets of pairs the best one, by costs in tiers of which each outweighs all below it.
#include <algorithm>
#include <cstdlib>

#include "server/core/floodgate/best_pairs.h"
#include "server/core/floodgate/least_diff.h"

namespace fuhyo::core::floodgate {
namespace {

// The lowest tier, in points of rating. What two would have to differ in rating to make another pair as good:
constexpr std::int64_t kAgain = 800;          // divided by the rounds since they met: 400 after two, 100 after eight
constexpr std::int64_t kOnesLast = 400;       // for each of the two whose last game was against the other
constexpr std::int64_t kUnevenColours = 200;  // somebody comes to two more games with one colour than with the other
constexpr std::int64_t kThirdRunning = 150;   // somebody has one colour three times running
constexpr std::int64_t kOneOwner = 800;  // the same password: surely of one owner. Like ids: as shogi-server has it
constexpr std::int64_t kTwoHumans = 800;
constexpr std::int64_t kLatelyOut = 4;  // for each round by which a sit-out is not a whole day ago
constexpr std::int64_t kMostDifference = 10'000, kMostPoints = 16'000;

class MatchingCosts final : public Costs {
 public:
  MatchingCosts(const Round& round, const std::vector<Contender>& block, const History& history)
      : round_(round),
        block_(block),
        history_(history),
        beyond_(static_cast<std::int64_t>(block.size() / 2 + 1) * kMostPoints),
        bye_(static_cast<std::int64_t>(block.size() / 2 + 1) * kMostExcess * beyond_),
        in_a_row_((static_cast<std::int64_t>(History::kRecentRounds) + 1) * bye_) {}

  std::int64_t pair(std::size_t a, std::size_t b) const override {
    const Contender& x = block_[a];
    const Contender& y = block_[b];
    const std::uint64_t met = history_.last_met(x.entrant->id, y.entrant->id);
    std::int64_t cost = met != 0 && met + 1 >= round_.number ? in_a_row_ : 0;
    std::int64_t points = std::min<std::int64_t>(std::abs(x.strength - y.strength), kMostDifference);
    points += again(x, y, met) + kin(x, y);
    if (!round_.settings.both_colours) {
      const ColourNeed need = colour_need(x.standing, y.standing);
      cost += std::clamp<std::int64_t>(need.most_balance - kMostBalance, 0, kMostExcess) * beyond_;
      if (need.most_balance == kMostBalance) points += kUnevenColours;
      if (need.longest_run >= 3) points += kThirdRunning;
    }
    return cost + std::min(points, kMostPoints);
  }

  std::int64_t sit_out(std::size_t a) const override {
    const Contender& x = block_[a];
    const int byes = history_.recent_byes(x.entrant->id, round_.number);
    if (byes == 0) return 0;
    const std::uint64_t ago = round_.number - std::min(round_.number, x.standing.sat_out.back());
    const auto lately = static_cast<std::int64_t>(History::kRecentRounds - std::min(History::kRecentRounds, ago));
    return byes * bye_ + lately * kLatelyOut;
  }

 private:
  static constexpr std::int64_t kMostExcess = 8;

  std::int64_t again(const Contender& x, const Contender& y, std::uint64_t met) const {
    if (met == 0) return 0;
    const auto ago = static_cast<std::int64_t>(round_.number - std::min(round_.number, met));
    const int last =
        (x.standing.last_opponent == y.entrant->id ? 1 : 0) + (y.standing.last_opponent == x.entrant->id ? 1 : 0);
    return kAgain / std::max<std::int64_t>(ago, 1) + last * kOnesLast;
  }
  static std::int64_t kin(const Contender& x, const Contender& y) {
    const auto trip = [](std::string_view id) { return id.substr(std::min(id.find('+'), id.size())); };
    const std::string_view a = x.entrant->id, b = y.entrant->id;
    const std::int64_t owner = !trip(a).empty() && trip(a) == trip(b) ? kOneOwner : kin_penalty(a, b);
    return owner + (is_human(x.entrant->name) && is_human(y.entrant->name) ? kTwoHumans : 0);
  }

  const Round& round_;
  const std::vector<Contender>& block_;
  const History& history_;
  // One of a tier: more than the whole set of pairs can cost in the tiers below.
  std::int64_t beyond_;    // for each game by which somebody comes to more than kMostBalance of one colour
  std::int64_t bye_;       // for each recent sit-out of the one who sits out
  std::int64_t in_a_row_;  // two met in the round before
};

}  // namespace

Pairings pair_by_matching(const Round& round, const History& history, Draws& draws) {
  const std::vector<Contender> field = contenders(round, history);
  Pairings result;
  std::size_t from = 0;
  for (const std::size_t size : blocks(field.size())) {
    const auto begin = field.begin() + static_cast<std::ptrdiff_t>(from);
    const std::vector<Contender> block(begin, begin + static_cast<std::ptrdiff_t>(size));
    settle(block, cheapest_pairs(round, block, MatchingCosts(round, block, history)), draws, result);
    from += size;
  }
  return result;
}

}  // namespace fuhyo::core::floodgate
