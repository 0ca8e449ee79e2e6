// The method `swiss`: a Swiss event, round by round, of which the history is the record. Costs in tiers as in
// matching.cpp, each outweighing all below it: a rematch, a second bye, a colour that cannot be given, the difference
// of points, the colour that is due, and last the places within a score group: its upper half meets its lower half.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "server/core/floodgate/best_pairs.h"

namespace fuhyo::core::floodgate {
namespace {

constexpr int kMostRunning = 2;        // games in one colour
constexpr std::int64_t kMostGap = 12;  // half points: six wins apart is as bad as any more
constexpr std::int64_t kFloatedAgain = 1, kMostApart = kMostGap * kMostGap + 2 * kFloatedAgain;

class SwissCosts final : public Costs {
 public:
  SwissCosts(const Round& round, const std::vector<Contender>& block, const History& history)
      : round_(round), block_(block), history_(history) {
    const auto size = static_cast<std::int64_t>(block.size());
    const std::int64_t pairs = size / 2 + 1;
    due_ = pairs * size;
    apart_ = pairs * due_ + due_;
    colour_ = pairs * kMostApart * apart_ + apart_;
    bye_ = pairs * 2 * colour_ + colour_;
    again_ = kMostByes * bye_ + bye_;
    find_groups();
  }

  std::int64_t pair(std::size_t a, std::size_t b) const override {
    const Contender& x = block_[a];
    const Contender& y = block_[b];
    std::int64_t cost = history_.last_met(x.entrant->id, y.entrant->id) != 0 ? again_ : 0;
    if (!round_.settings.both_colours) {
      const ColourNeed need = colour_need(x.standing, y.standing);
      cost += colour_ * ((need.most_balance > kMostBalance ? 1 : 0) + (need.longest_run > kMostRunning ? 1 : 0));
      cost += need.clash ? due_ : 0;
    }
    return cost + apart_ * gap(x, y) + folding(a, b);
  }

  // The lowest of the lowest score group, if it had none yet.
  std::int64_t sit_out(std::size_t a) const override {
    const Contender& x = block_[a];
    const std::int64_t above = x.standing.half_points - block_.back().standing.half_points;
    return bye_ * std::min<std::int64_t>(x.standing.byes, kMostByes) + apart_ * squared(above) +
           static_cast<std::int64_t>(block_.size() - 1 - a);
  }

 private:
  static constexpr std::int64_t kMostByes = 8;
  struct Group {
    std::size_t first, size;
  };

  static std::int64_t squared(std::int64_t half_points) {
    const std::int64_t clamped = std::min(std::abs(half_points), kMostGap);
    return clamped * clamped;
  }
  // `x` stands before `y`. Who floated in its last game should not float the same way again.
  static std::int64_t gap(const Contender& x, const Contender& y) {
    const std::int64_t points = x.standing.half_points - y.standing.half_points;
    if (points == 0) return 0;
    const bool down_again = x.standing.float_direction < 0, up_again = y.standing.float_direction > 0;
    return squared(points) + (down_again ? kFloatedAgain : 0) + (up_again ? kFloatedAgain : 0);
  }
  // How far two of a group are from half its size apart; of two groups, how far from its lower to its upper edge.
  std::int64_t folding(std::size_t a, std::size_t b) const {
    const auto apart = static_cast<std::int64_t>(b - a);
    const Group& group = groups_[a];
    if (groups_[b].first != group.first) return apart - 1;
    return std::abs(apart - static_cast<std::int64_t>(group.size / 2));
  }
  void find_groups() {
    for (std::size_t first = 0; first < block_.size();) {
      std::size_t end = first;
      while (end < block_.size() && block_[end].standing.half_points == block_[first].standing.half_points) ++end;
      groups_.insert(groups_.end(), end - first, Group{first, end - first});
      first = end;
    }
  }

  const Round& round_;
  const std::vector<Contender>& block_;
  const History& history_;
  std::vector<Group> groups_;  // of each place
  std::int64_t due_ = 0, apart_ = 0, colour_ = 0, bye_ = 0, again_ = 0;
};

}  // namespace

Pairings pair_by_swiss(const Round& round, const History& history, Draws& draws) {
  std::vector<Contender> field = contenders(round, history);
  std::ranges::sort(
      field, {}, [](const Contender& one) { return std::tuple(-one.standing.half_points, -one.strength, one.place); });
  Pairings result;
  std::size_t from = 0;
  for (const std::size_t size : blocks(field.size())) {
    const auto begin = field.begin() + static_cast<std::ptrdiff_t>(from);
    const std::vector<Contender> block(begin, begin + static_cast<std::ptrdiff_t>(size));
    settle(block, cheapest_pairs(round, block, SwissCosts(round, block, history)), draws, result);
    from += size;
  }
  return result;
}

}  // namespace fuhyo::core::floodgate
