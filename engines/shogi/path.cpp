#include "engines/shogi/path.h"

#include <algorithm>

#include "engines/shogi/repetition.h"

namespace fuhyo::shogi {
namespace {

// Whether hand `a` holds at least as many of each kind as `b`: a byte a kind, counts below 128.
bool holds_all_of(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kTops = 0x8080808080808080;
  return (((a | kTops) - b) & kTops) == kTops;
}

}  // namespace

void Path::push(const Position& position) {
  const std::size_t n = steps_.size();
  const std::uint32_t before = n >= 2 ? steps_[n - 2].checks : 0;
  steps_.push_back({.board_key = position.board_key(),
                    .hand = position.hand(position.side_to_move()).bits(),
                    .checks = position.in_check() ? before + 1 : 0,
                    .since_null = n == 0 ? 0 : steps_.back().since_null + 1});
}

void Path::push_null(const Position& position) {
  push(position);
  steps_.back().since_null = 0;
  steps_.back().checks = 0;
}

std::size_t Path::cycle() const {
  const Step* const now = &steps_.back();
  const std::size_t reach = std::min<std::size_t>(now->since_null, kReach);
  for (std::size_t plies = 4; plies <= reach; plies += 2) {
    const Step& then = now[-static_cast<std::ptrdiff_t>(plies)];
    if (then.board_key != now->board_key) continue;
    if (then.hand == now->hand || holds_all_of(now->hand, then.hand) || holds_all_of(then.hand, now->hand)) {
      return plies;
    }
  }
  return 0;
}

Recurrence Path::recurrence(int searched) const {
  const std::size_t plies = cycle();
  if (plies == 0) return Recurrence::none;
  if (static_cast<int>(plies) > searched) return end_of_game();
  const Step &now = steps_.back(), &then = steps_[steps_.size() - 1 - plies];
  if (then.hand == now.hand) return judge(plies);
  return holds_all_of(now.hand, then.hand) ? Recurrence::superior : Recurrence::inferior;
}

// The fourth occurrence, however long ago the others were; checks count since the first.
Recurrence Path::end_of_game() const {
  const Step& now = steps_.back();
  const auto same = [&](const Step& step) { return step.board_key == now.board_key && step.hand == now.hand; };
  if (std::ranges::count_if(steps_, same) < kFourfold) return Recurrence::none;
  return judge(static_cast<std::size_t>(&now - &*std::ranges::find_if(steps_, same)));
}

// A side whose every move since then has given check loses by it.
Recurrence Path::judge(std::size_t plies) const {
  const std::size_t moves = plies / 2, now = steps_.size() - 1;
  if (steps_[now].checks >= moves) return Recurrence::win;
  return steps_[now - 1].checks >= moves ? Recurrence::loss : Recurrence::draw;
}

}  // namespace fuhyo::shogi
