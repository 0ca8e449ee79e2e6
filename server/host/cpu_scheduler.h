// The schedule of seats, shared by the threads of all built-in players. Any thread.
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

  // `cores`: that there are for whoever plays and, behind as many as `threads`, for everybody else.
  explicit CpuScheduler(int threads, std::vector<int> cores = {}) : schedule_(threads), cores_(std::move(cores)) {}

  // `name`: by which its opponents know it. `changed` is called whenever somebody's rights may have changed, on the
  // thread that caused it, until leave() has returned. It must not call back: it wakes its own thread.
  Id join(const std::string& name, CpuSchedule::Needs needs, Changed changed);
  void leave(Id player);
  // `opponent`: the name of whoever it is to play, of ours or not.
  bool claim(Id player, const std::string& game, const std::string& opponent, bool goes_on);
  void release(Id player);
  // Where nobody can think for the time being, nobody enters the lobby; games go on.
  void set_open(bool open);

  bool is_seated(Id player) const;
  bool may_enter(Id player) const;
  bool may_ponder(Id player) const;
  // That a player of so many threads is to be bound to: its own while it is seated, else the last ones, which fewest
  // play on. Empty: where it likes, for there is no core a thread.
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
