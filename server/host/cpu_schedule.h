// Which built-in players may play, so that their engines never use more CPU threads than there are. A pure value. A
// player is in the lobby only while its threads would be free. A game takes its threads before it is agreed to and
// keeps them until it ends, so nobody waits for a thread in a game. Who has waited longest is first; players that need
// fewer threads do not overtake him.
//
// Two that play each other without thinking on each other's time take turns: their game takes what the larger one
// needs. If one of them ponders, it takes what both need; should that be more than there is at all, they play without
// pondering. A game of two built-in players gets all its threads or none, whichever of them claims first.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fuhyo::host {

class CpuSchedule {
 public:
  using Id = std::uint64_t;
  struct Needs {
    int threads = 1;
    bool ponders = false;
    // A floodgate group, whose rounds call up all that wait at once: they must fit together. Empty: a game at a time.
    std::string group{};
    bool gives_way = false;  // thinks so little that it takes no threads
  };

  // `threads`: that may think at once, at least 1. A player that needs more is taken to need all.
  explicit CpuSchedule(int threads) : capacity_(threads < 1 ? 1 : threads) {}

  void join(Id player, Needs needs);
  void leave(Id player);

  // `player` has been offered `game`. True: it may agree. False: it waits, and is_seated() tells when. `goes_on`: a
  // game that was interrupted, whose clock waits for nobody: it has its seat in any case. `opponent`: if that is a
  // player of ours as well; 0 otherwise.
  bool claim(Id player, const std::string& game, bool goes_on, Id opponent = 0);
  // Its game is over, or will not be. Who waited for a seat in vain is in the lobby again only when that game would
  // fit: it would be offered the same one at once.
  void release(Id id);

  bool is_seated(Id player) const;
  // Of one that is seated: as many of the numbers 0 to capacity() - 1 as it has threads, nobody's but its and, where
  // they take turns, its opponent's. (Where games that go on need more than there is, those that fewest have.)
  const std::vector<int>& seats(Id player) const;
  // It may wait for games, and who does may be given one.
  bool may_enter(Id player) const;
  // In its game it may think on its opponent's time.
  bool may_ponder(Id player) const;

  int capacity() const { return capacity_; }
  int taken() const;
  int waiting() const;  // players that have been offered a game and wait, and those outside of the lobby

 private:
  enum class Place : std::uint8_t { idle, claims, seated };
  struct Player {
    Needs needs;
    std::uint64_t since = 0;  // in the order of waiting
    Place place = Place::idle;
    std::string game;
    Id opponent = 0;
    int wants = 0;  // threads that must be free before it waits for games
    std::vector<int> seats{};
  };
  void sit_down(Player& player);
  struct Use {
    int most = 0, sum = 0;
    bool ponders = false;
    std::set<const Player*> counted;
  };
  void add(const Player& player, Use& use) const;
  int threads_of(const Use& use) const { return use.ponders && use.sum <= capacity_ ? use.sum : use.most; }
  int taken_with(const Player* newcomer) const;
  void seat_who_fits();

  int capacity_;
  std::uint64_t clock_ = 0;
  std::map<Id, Player> players_;
};

}  // namespace fuhyo::host
