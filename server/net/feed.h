// The feed of spectators: durable facts in, server-sent events out. It fixes the public format (version 1):
//
//   event: snapshot   data: {"v":1,"now_ms":..,"games":[GAME...]}
//   event: opened     data: {"v":1,"game":GAME}
//   event: started    data: {"v":1,"id":7,"at_ms":..}
//   event: moved      data: {"v":1,"id":7,"ply":1,"move":"+7776FU,T3","remaining_s":297,"sfen":"..","at_ms":..}
//                           and "comment":".." if there is one
//   event: commented  data: {"v":1,"id":7,"ply":1,"comment":".."}   all that was said of a move told before
//   event: commentary data: {"v":1,"id":7,"ply":1,"ja":"..","en":".."}     what the commentator says of the game up to
//                           there, where there is one, right after what it speaks of
//   event: ended      data: {"v":1,"id":7,"kind":"time up","outcome":"white","line":"","plies":12,"reason":"..",
//                            "at_ms":..}
//   event: rejected   data: {"v":1,"id":7,"by":"..","at_ms":..}
//   event: tick       data: {"v":1,"now_ms":..}       after 15 s in which nothing happened: the line is alive
//
// GAME: id, room, delay ({"seconds":60} or {"moves":3} behind its players; null: none), csa_id, name, black, white
// {name, id (null: without a trip), builtin, rate (null: none)}, time {total_s, byoyomi_s, increment_s, least_s,
// stopwatch_s}, max_moves, declaration, rules, rated, start_sfen, state ("agreeing" | "running" | "ended"), moves
// ["+7776FU,T3"..], sfen (null if unknown), remaining_s [Black, White], opened_at_ms, turn_since_ms, end (null, or as
// in `ended`), last_comments [of Black, of White] (null: none).
//
// Keys may be added within a version; what exists keeps its meaning. Comments of players are there as the host allows
// (Comments): an opponent's program must not read them during the game unless it may. As /api/v1/events.ndjson each
// event is a line of JSON instead: {"id":7,"event":"moved","data":{..}}.
//
// Every event but a tick has `id:`, after which a reader may resume: the place of its fact in the journal, which is the
// same on every node. From the first game on that is shown with a delay facts come in another order than they stand
// there, so the ids are numbers of this feed alone, from a random one on: another feed knows none of them, and answers
// with a snapshot.
//
// Of a game that is shown with a delay `opened` comes at once and all else when spectators may see it (delay_line.h);
// the times in it are those at which it is seen. Of a hidden one all comes with its end.
//
// One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/core/commentary/commentator.h"
#include "server/core/ids.h"
#include "server/core/journal.h"
#include "server/core/live_view.h"
#include "server/core/monitors/delay_line.h"
#include "server/core/rooms/rooms.h"
#include "server/core/tournaments/event_view.h"

namespace fuhyo::net {

// A whole server-sent event, in each format that somebody takes it in.
class EventText {
 public:
  struct Format {
    bool lines = false;  // a line of JSON instead
    bool packs = false;  // a part of a packed stream (packed_stream.h)
  };
  explicit EventText(std::string event) : forms_{std::move(event)} {}
  const std::string& plain() const { return forms_[0]; }
  // Made once, when it is first asked for.
  const std::string& in(Format format) const;

 private:
  mutable std::array<std::string, 4> forms_;  // by Format; empty: nobody has asked for it
};
using Text = std::shared_ptr<const EventText>;  // shared by all who receive it

struct FeedEvent {
  core::Seq seq{};
  core::GameId game{};
  Text text;
  bool idempotent = false;  // a reader who has it already shows the same again
};

using GameFilter = std::set<core::GameId>;  // empty: every game
inline bool passes(const GameFilter& filter, core::GameId game) { return filter.empty() || filter.contains(game); }

class Feed {
 public:
  struct Options {
    core::Comments comments = core::Comments::after;
    std::size_t max_ended = 50;        // ended games that a snapshot still shows
    std::size_t ring_events = 16'384;  // how far back a reader can resume
    std::size_t ring_bytes = 8 * 1024 * 1024;
    core::DelayRules delays{};
    std::shared_ptr<core::Commentator> commentator{};  // of games whose rooms do not refuse it; null: nobody speaks
    std::uint64_t first_id = 0;  // from the first delay on: the id of how things stand then, below 2^52
  };

  Feed(const Options& options, const core::Recovery& recovered, core::Now now);

  // Events for the readers. With `silent` there are no readers: no text is made, and nobody can resume across it.
  std::vector<FeedEvent> apply(const core::Transaction& transaction, core::Now now, bool silent);
  // ... of what has waited long enough.
  std::vector<FeedEvent> release(core::Now now, bool silent);
  // When there will be something to release; nothing: that is not a matter of time.
  std::optional<core::Instant> next_release() const;
  // Facts that found no room to wait, since the last call.
  std::size_t take_lost() { return delays_.take_lost(); }

  Text snapshot(const GameFilter& filter, core::Wall now);
  // The rooms as they stand, hidden ones included.
  const core::Rooms& rooms() const { return rooms_; }
  // The events of the server, as far as spectators may know of them.
  const core::EventView& events() const { return events_; }
  const std::map<core::GameId, core::LiveGame>& games() const { return view_.games(); }
  // What the commentator says of a game that spectators see so far; nothing: it does not speak of it.
  std::optional<std::vector<core::Told>> commentary(const core::GameStory& game, std::size_t ply = 0) const;
  // It has found other words for that ply; nothing: the game is not among those that the feed knows.
  std::optional<FeedEvent> say(core::GameId game, std::int32_t ply);
  // The rooms of whose games it does not; nothing: it speaks of none.
  std::optional<std::set<std::string>> quiet_rooms() const;
  // Up to when spectators have seen how games ended; empty: they have seen all.
  std::vector<core::EndsSeen> ends_seen(core::Wall now) const;
  // Null: it is not among those that the feed knows. Until the next apply().
  const core::LiveGame* find(core::GameId id) const;
  // The events after `seq`, if all of them are still here; with the idempotent ones of `seq` itself.
  std::optional<std::vector<FeedEvent>> since(core::Seq seq) const;

 private:
  std::optional<core::LiveChange> see(const core::Journaled& row);
  void show(const core::Journaled& row, bool silent, std::vector<FeedEvent>& events);
  void tell(const core::LiveChange& change, bool silent, std::vector<FeedEvent>& events);
  bool is_told(const core::GameStory& game) const;
  void show_anew(std::vector<core::Journaled> rows, bool silent, std::vector<FeedEvent>& events);
  void number_anew();
  void remember(const FeedEvent& event);
  void forget_all();

  Options options_;
  core::DelayLine delays_;
  core::Rooms rooms_;
  bool own_ids_;  // a game is, or was, shown in another order than it stands in the journal
  core::LiveView view_;
  core::EventView events_;
  std::deque<FeedEvent> ring_;
  std::size_t ring_bytes_ = 0;
  core::Seq floor_{};  // everything after this is in the ring
};

}  // namespace fuhyo::net
