#include "server/host/cpu_schedule.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace fuhyo::host {

void CpuSchedule::join(Id player, Needs needs) {
  needs.threads = needs.gives_way ? 0 : std::clamp(needs.threads, 1, capacity_);
  players_[player] = Player{.needs = needs, .since = ++clock_, .game = {}, .wants = needs.threads};
}

void CpuSchedule::leave(Id player) {
  players_.erase(player);
  seat_who_fits();
}

// `player` and its opponent, which may not have heard of their game yet.
void CpuSchedule::add(const Player& player, Use& use) const {
  const auto count = [&use](const Player& one) {
    if (!use.counted.insert(&one).second) return;
    use.most = std::max(use.most, one.needs.threads);
    use.sum += one.needs.threads;
    use.ponders = use.ponders || one.needs.ponders;
  };
  count(player);
  const auto opponent = players_.find(player.opponent);
  if (opponent == players_.end()) return;
  if (opponent->second.place == Place::idle || opponent->second.game == player.game) count(opponent->second);
}

// With `newcomer` seated too.
int CpuSchedule::taken_with(const Player* newcomer) const {
  std::map<std::string, Use> games;
  for (const auto& [id, player] : players_) {
    if (player.place == Place::seated) add(player, games[player.game]);
  }
  if (newcomer != nullptr) add(*newcomer, games[newcomer->game]);
  int taken = 0;
  for (const auto& [game, use] : games) taken += threads_of(use);
  return taken;
}

int CpuSchedule::taken() const { return taken_with(nullptr); }

bool CpuSchedule::claim(Id player, const std::string& game, bool goes_on, Id opponent) {
  Player& claimant = players_.at(player);
  claimant.place = Place::claims;
  claimant.game = game;
  claimant.opponent = opponent;
  if (claimant.needs.gives_way || goes_on) sit_down(claimant);
  Use use;
  add(claimant, use);
  claimant.wants = threads_of(use);
  seat_who_fits();
  return claimant.place == Place::seated;
}

void CpuSchedule::sit_down(Player& player) {
  player.place = Place::seated;
  Use use;
  add(player, use);
  const bool takes_turns = !use.ponders || use.sum > capacity_;
  std::vector<int> taken(static_cast<std::size_t>(capacity_)), shared = taken;
  for (const auto& [id, other] : players_) {
    if (&other == &player || other.place != Place::seated) continue;
    auto& counted = takes_turns && other.game == player.game ? shared : taken;
    for (const int seat : other.seats) ++counted[static_cast<std::size_t>(seat)];
  }
  player.seats.resize(static_cast<std::size_t>(capacity_));
  std::iota(player.seats.begin(), player.seats.end(), 0);
  std::ranges::sort(player.seats, {}, [&](int seat) {
    const auto at = static_cast<std::size_t>(seat);
    return std::tuple{taken[at], -shared[at], seat};
  });
  player.seats.resize(static_cast<std::size_t>(player.needs.threads));
}

void CpuSchedule::release(Id id) {
  const auto found = players_.find(id);
  if (found == players_.end() || found->second.place == Place::idle) return;
  Player& player = found->second;
  for (auto& [other_id, other] : players_) {
    if (other.opponent == id) other.opponent = 0;  // no longer one that it must have room for
  }
  if (player.place == Place::seated) player.wants = player.needs.threads;
  player.place = Place::idle;
  player.game.clear();
  player.seats.clear();
  player.opponent = 0;
  player.since = ++clock_;
  seat_who_fits();
}

// In the order in which they have waited; the first that does not fit holds up those behind it, but not its opponent.
void CpuSchedule::seat_who_fits() {
  std::vector<Player*> claims;
  for (auto& [id, player] : players_) {
    if (player.place == Place::claims) claims.push_back(&player);
  }
  std::ranges::sort(claims, {}, &Player::since);
  bool held_up = false;
  for (Player* claimant : claims) {
    const int with = taken_with(claimant);
    if (with > taken() && (held_up || with > capacity_)) {
      held_up = true;
    } else {
      sit_down(*claimant);
    }
  }
}

const std::vector<int>& CpuSchedule::seats(Id player) const {
  static const std::vector<int> none;
  const auto found = players_.find(player);
  return found == players_.end() ? none : found->second.seats;
}

bool CpuSchedule::is_seated(Id player) const {
  const auto found = players_.find(player);
  return found != players_.end() && found->second.place == Place::seated;
}

bool CpuSchedule::may_enter(Id player) const {
  const auto found = players_.find(player);
  if (found == players_.end()) return false;
  if (found->second.needs.gives_way || found->second.place != Place::idle) return true;
  const Player& self = found->second;
  const int left = capacity_ - taken();
  int together = 0;
  for (const auto& [id, other] : players_) {
    if (other.place == Place::claims) return false;  // somebody has a game already and waits
    if (other.place != Place::idle || other.needs.gives_way || other.since > self.since) continue;
    if (other.wants > left) return false;
    if (!self.needs.group.empty() && other.needs.group == self.needs.group) together += other.needs.threads;
  }
  return together <= left;
}

bool CpuSchedule::may_ponder(Id player) const {
  const auto found = players_.find(player);
  if (found == players_.end()) return false;
  Use use;
  add(found->second, use);
  return use.sum <= capacity_;
}

int CpuSchedule::waiting() const {
  return static_cast<int>(std::ranges::count_if(players_, [this](const auto& entry) {
    return entry.second.place == Place::claims || (entry.second.place == Place::idle && !may_enter(entry.first));
  }));
}

}  // namespace fuhyo::host
