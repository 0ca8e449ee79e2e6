#include "server/host/cpu_scheduler.h"

#include <algorithm>
#include <utility>

namespace fuhyo::host {

void CpuScheduler::tell_everybody() const {
  for (const auto& [player, changed] : players_) changed();
}

CpuScheduler::Id CpuScheduler::join(const std::string& name, CpuSchedule::Needs needs, Changed changed) {
  const std::lock_guard lock(mutex_);
  schedule_.join(++last_, std::move(needs));
  names_[name] = last_;
  players_.emplace(last_, std::move(changed));
  tell_everybody();
  return last_;
}

void CpuScheduler::leave(Id player) {
  const std::lock_guard lock(mutex_);
  schedule_.leave(player);
  players_.erase(player);
  std::erase_if(names_, [player](const auto& named) { return named.second == player; });
  tell_everybody();
}

bool CpuScheduler::claim(Id player, const std::string& game, const std::string& opponent, bool goes_on) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(opponent);
  const bool seated = schedule_.claim(player, game, goes_on, found == names_.end() ? 0 : found->second);
  tell_everybody();
  return seated;
}

void CpuScheduler::release(Id player) {
  const std::lock_guard lock(mutex_);
  schedule_.release(player);
  tell_everybody();
}

void CpuScheduler::set_open(bool open) {
  const std::lock_guard lock(mutex_);
  open_ = open;
  tell_everybody();
}

bool CpuScheduler::is_open() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

bool CpuScheduler::is_seated(Id player) const {
  const std::lock_guard lock(mutex_);
  return schedule_.is_seated(player);
}

bool CpuScheduler::may_enter(Id player) const {
  const std::lock_guard lock(mutex_);
  return open_ && schedule_.may_enter(player);
}

bool CpuScheduler::may_ponder(Id player) const {
  const std::lock_guard lock(mutex_);
  return schedule_.may_ponder(player);
}

std::vector<int> CpuScheduler::cores(Id player, int threads) const {
  const std::lock_guard lock(mutex_);
  if (std::cmp_less(cores_.size(), schedule_.capacity())) return {};
  std::vector<int> own;
  for (const int seat : schedule_.seats(player)) own.push_back(cores_[static_cast<std::size_t>(seat)]);
  const auto most = std::min(cores_.size(), static_cast<std::size_t>(std::max(threads, 1)));
  if (own.empty()) own.assign(cores_.end() - static_cast<std::ptrdiff_t>(most), cores_.end());
  return own;
}

CpuScheduler::Figures CpuScheduler::figures() const {
  const std::lock_guard lock(mutex_);
  return {.capacity = schedule_.capacity(), .taken = schedule_.taken(), .waiting = schedule_.waiting()};
}

}  // namespace fuhyo::host
