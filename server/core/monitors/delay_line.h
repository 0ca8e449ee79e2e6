// The delay of facts for spectators: facts of games that are shown late wait here. Pure; one thread at a time.
//
// Facts of a game keep their order. Its opening is shown at once (of a hidden game, with its end), all other facts
// after the delay. A delayed fact has the time at which it is shown, so that a clock that runs from there shows what
// the players saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "server/core/journal.h"
#include "server/core/monitors/spectator_delay.h"

namespace fuhyo::core {

class DelayLine {
 public:
  static constexpr std::size_t kMostBytes = 64 * 1024 * 1024;

  // At most `most_bytes` wait: a game of which more would have to is not shown any more before its end.
  explicit DelayLine(DelayRules rules = {}, std::size_t most_bytes = kMostBytes)
      : rules_(std::move(rules)), most_bytes_(most_bytes) {}

  // Whether nothing waits, and no rule delays games that have no delay of their own.
  bool idle() const { return rules_.empty() && games_.empty(); }
  // Whether take() may delay it; all other facts are shown at once.
  bool concerns(const Fact& fact) const;
  const DelayRules& rules() const { return rules_; }

  // Begins anew with the facts of games that are not over (Recovery::live); what may be seen of them by now.
  std::vector<Journaled> begin(const std::vector<Journaled>& live, Now now);
  // The next fact of the journal; what may be seen by now, of this and other games.
  std::vector<Journaled> take(Journaled row, Now now);
  // What may be seen by now.
  std::vector<Journaled> release(Instant now);
  // When the next fact may be seen that only waits for its time.
  std::optional<Instant> next() const;

  // Of games whose rooms delay them by seconds, and whose ends are not seen: up to when ends of such games are.
  std::vector<EndsSeen> ends_seen(Wall now) const;

  std::size_t waiting() const { return waiting_; }             // facts
  std::size_t take_lost() { return std::exchange(lost_, 0); }  // facts that found no room, since the last call

 private:
  struct Game {
    SpectatorDelay delay;
    bool of_room = false;            // the game says so itself, not its name
    Instant latest{};                // when the newest of what waits may be seen
    std::deque<Journaled> behind{};  // what waits for later moves
    std::int32_t moves_behind = 0;   // how many moves are in it
    bool lost = false;               // it is not shown any more before its end
  };
  struct Late {
    Journaled row;  // with the time at which it is seen
    GameId game;
  };

  void put(Journaled row, Instant happened, std::vector<Journaled>& seen);
  void put_late(Game& game, Journaled row, Instant happened);
  void put_behind(Game& game, Journaled row, std::vector<Journaled>& seen);
  bool fits_in(Game& game, const Journaled& row);
  void lose(Game& game, GameId id);
  void drop_all(Game& game, GameId id);
  void add(const Journaled& row);
  void drop(const Journaled& row);

  DelayRules rules_;
  std::size_t most_bytes_, bytes_ = 0, waiting_ = 0, lost_ = 0;
  std::map<GameId, Game> games_;       // that are delayed, and of which the end is not seen
  std::multimap<Instant, Late> late_;  // what waits for its time
};

}  // namespace fuhyo::core
