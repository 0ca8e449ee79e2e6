// Events as spectators see them: folded from their facts, in their order. A fact with the result of a game whose end
// spectators have not seen yet waits until they have, and so do all later facts of the event: the next pairings would
// tell the winner. Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/journal.h"
#include "server/core/monitors/spectator_delay.h"
#include "server/core/rooms/rooms.h"
#include "server/core/tournaments/running_event.h"

namespace fuhyo::core {

class EventView {
 public:
  struct Shown {
    RunningEvent event;          // `games`: those that spectators have seen begin
    std::uint64_t revision = 0;  // another one whenever something is shown
  };

  explicit EventView(DelayRules delays = {}) : delays_(std::move(delays)) {}

  // Begins anew. Whether an end that is stored has been seen is said by the rooms as they are now, and by the names.
  void begin(const Recovery& recovered, const Rooms& rooms, Now now);
  // The next fact of the journal.
  void take(const Fact& fact, Instant now);
  // A game that spectators may know of is one of an event.
  void open(const TournamentGame& fact);
  // Shows what may be seen by now.
  void release(Instant now);
  // When there will be something to release.
  std::optional<Instant> next() const;

  const std::map<std::string, Shown, std::less<>>& all() const { return shown_; }
  const Shown* find(std::string_view name) const;  // null: there is none
  bool is_behind(std::string_view name) const;     // something of it is held back
  std::uint64_t revision() const { return revision_; }

 private:
  struct Late {
    Instant due;
    Fact fact;
  };
  struct Delayed {
    std::deque<Late> waiting;                          // each at least as late as the one before it
    std::map<tournament::GameKey, std::int32_t> late;  // seconds, of games whose ends are to come
  };

  Shown& called(const std::string& name);
  void put(const std::string& event, const Fact& fact, Instant due, Instant now);
  void show(const std::string& event, const Fact& fact);
  std::int32_t stored_delay_s(const TournamentDecided& fact, const Rooms& rooms) const;

  DelayRules delays_;
  std::map<std::string, Shown, std::less<>> shown_;
  std::map<std::string, Delayed, std::less<>> delayed_;
  std::map<GameId, std::int32_t> seconds_;  // of games that run, where it is not 0
  std::uint64_t revision_ = 0;
};

}  // namespace fuhyo::core
