#include "server/host/seat_schedule.h"

#include <algorithm>
#include <vector>

namespace fuhyo::host {

void SeatSchedule::join(Id player, Needs needs) {
  needs.threads = std::clamp(needs.threads, 1, capacity_);
  players_[player] = Player{.needs = needs, .since = ++clock_, .place = Place::idle, .game = {}};
}

void SeatSchedule::leave(Id player) {
  players_.erase(player);
  seat_who_fits();
}

// With `newcomer` seated too.
int SeatSchedule::taken_with(const Player* newcomer) const {
  struct Use {
    int most = 0, sum = 0;
    bool ponders = false;
  };
  std::map<std::string, Use> games;
  const auto add = [&](const Player& player) {
    Use& use = games[player.game];
    use.most = std::max(use.most, player.needs.threads);
    use.sum += player.needs.threads;
    use.ponders = use.ponders || player.needs.ponders;
  };
  for (const auto& [id, player] : players_) {
    if (player.place == Place::seated) add(player);
  }
  if (newcomer != nullptr) add(*newcomer);
  int taken = 0;
  for (const auto& [game, use] : games) taken += use.ponders ? use.sum : use.most;
  return taken;
}

int SeatSchedule::taken() const { return taken_with(nullptr); }

bool SeatSchedule::claim(Id player, const std::string& game, bool goes_on) {
  Player& claimant = players_.at(player);
  claimant.place = claimant.needs.rests || goes_on ? Place::seated : Place::claims;
  claimant.game = game;
  if (claimant.needs.rests) claimant.needs.threads = 0;
  seat_who_fits();
  return claimant.place == Place::seated;
}

void SeatSchedule::release(Id player) {
  const auto found = players_.find(player);
  if (found == players_.end() || found->second.place == Place::idle) return;
  found->second.place = Place::idle;
  found->second.game.clear();
  found->second.since = ++clock_;
  seat_who_fits();
}

// In the order in which they have waited; the first that does not fit holds up those behind it, but not its opponent.
void SeatSchedule::seat_who_fits() {
  std::vector<Player*> claims;
  for (auto& [id, player] : players_) {
    if (player.place == Place::claims) claims.push_back(&player);
  }
  std::ranges::sort(claims, {}, &Player::since);
  bool held_up = false;
  for (Player* claimant : claims) {
    const int with = taken_with(claimant);
    if (with > capacity_ || (held_up && with > taken())) {
      held_up = true;
    } else {
      claimant->place = Place::seated;
    }
  }
}

bool SeatSchedule::is_seated(Id player) const {
  const auto found = players_.find(player);
  return found != players_.end() && found->second.place == Place::seated;
}

bool SeatSchedule::may_enter(Id player) const {
  const auto found = players_.find(player);
  if (found == players_.end()) return false;
  if (found->second.needs.rests || found->second.place != Place::idle) return true;
  const Player& self = found->second;
  const int left = capacity_ - taken();
  int together = 0;
  for (const auto& [id, other] : players_) {
    if (other.place == Place::claims) return false;  // somebody has a game already and waits
    if (other.place != Place::idle || other.needs.rests || other.since > self.since) continue;
    if (other.needs.threads > left) return false;
    if (!self.needs.group.empty() && other.needs.group == self.needs.group) together += other.needs.threads;
  }
  return together <= left;
}

bool SeatSchedule::may_think(Id player) const {
  return players_.contains(player) && (taken() < capacity_ || !players_.at(player).needs.rests);
}

int SeatSchedule::waiting() const {
  return static_cast<int>(std::ranges::count_if(players_, [this](const auto& entry) {
    return entry.second.place == Place::claims || (entry.second.place == Place::idle && !may_enter(entry.first));
  }));
}

}  // namespace fuhyo::host
