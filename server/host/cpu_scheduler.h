// CpuSchedule, shared by the threads of all built-in players. Any thread.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "server/host/cpu_schedule.h"

namespace fuhyo::host {

class CpuScheduler {
 public:
  using Id = CpuSchedule::Id;
  using Changed = std::function<void()>;

  // `cores`: players in games use the first `threads` of them, everything else the last ones.
  explicit CpuScheduler(int threads, std::vector<int> cores = {}) : schedule_(threads), cores_(std::move(cores)) {}

  // `name`: that of the player. `changed` is called whenever is_seated(), may_enter() or may_ponder() of a player may
  // have changed, on the thread that caused it, until leave() has returned. It must not call back: it wakes its own
  // thread.
  Id join(const std::string& name, CpuSchedule::Needs needs, Changed changed);
  void leave(Id player);
  // `opponent`: the name of its opponent, built-in or not.
  bool claim(Id player, const std::string& game, const std::string& opponent, bool goes_on);
  void release(Id player);
  // False: the engines cannot be reached. Nobody enters the lobby; games go on.
  void set_open(bool open);

  bool is_open() const;
  bool is_seated(Id player) const;
  bool may_enter(Id player) const;
  bool may_ponder(Id player) const;
  // The cores that a player of so many threads is bound to: its own in a game, else the last ones, which games use
  // least. Empty: it is not bound, because there are fewer cores than threads.
  std::vector<int> cores(Id player, int threads) const;
  struct Figures {
    int capacity = 0, taken = 0, waiting = 0;
  };
  Figures figures() const;

 private:
  void tell_everybody() const;  // the lock is held

  mutable std::mutex mutex_;
  CpuSchedule schedule_;
  const std::vector<int> cores_;
  bool open_ = true;
  std::map<Id, Changed> players_;
  std::map<std::string, Id> names_;
  Id last_ = 0;
};

}  // namespace fuhyo::host
