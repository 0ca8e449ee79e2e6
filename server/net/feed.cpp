#include "server/net/feed.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <variant>

#include "server/core/commentary/event_standing.h"
#include "server/net/feed_json.h"
#include "server/net/packed_stream.h"

namespace fuhyo::net {
namespace {

// JSON text holds no line ends, so one data line is enough.
Text sse(core::Seq seq, std::string_view name, std::string_view data) {
  return std::make_shared<const EventText>(
      fmt::format("id: {}\nevent: {}\ndata: {}\n\n", core::value(seq), name, data));
}

// What the commentator says of the newest position is another thing now.
bool is_news(const core::LiveChange& change) {
  const auto* said = std::get_if<core::CommentAdded>(&change.fact);
  if (said != nullptr) return static_cast<std::size_t>(said->ply) == change.game.moves.size();
  return std::holds_alternative<core::GameStarted>(change.fact) ||
         std::holds_alternative<core::MoveMade>(change.fact) || std::holds_alternative<core::GameEnded>(change.fact);
}

}  // namespace

const std::string& EventText::in(Format format) const {
  std::string& form = forms_[(format.lines ? 1U : 0U) + (format.packs ? 2U : 0U)];
  if (form.empty()) form = format.packs ? packed(in({.lines = format.lines})) : json_line(plain());
  return form;
}

Feed::Feed(const Options& options, const core::Recovery& recovered, core::Now now)
    : options_(options),
      delays_(options.delays),
      own_ids_(false),
      view_(options.max_ended, options.delays),
      events_(options.delays) {
  for (const core::Journaled& row : recovered.keyed_facts) rooms_.apply(row.fact);
  events_.begin(recovered, rooms_, now);
  for (const core::Journaled& row : delays_.begin(recovered.live, now)) see(row);
  own_ids_ = !delays_.idle();
  floor_ = own_ids_ ? core::Seq{options.first_id} : recovered.last;
  view_.start_at(floor_);
}

// Who knows an id of the journal gets a snapshot when he comes back: what he has missed has no place there any more.
void Feed::number_anew() {
  own_ids_ = true;
  forget_all();
  floor_ = core::Seq{options_.first_id};
  view_.start_at(floor_);
}

std::vector<core::EndsSeen> Feed::ends_seen(core::Wall now) const {
  std::vector<core::EndsSeen> seen = delays_.ends_seen(now);
  for (const auto& [name, room] : rooms_.all()) {
    const auto& showing = room.rules.showing;
    if (!showing) continue;
    const bool late = showing->seconds > 0;
    const core::Wall until{late ? now.us - showing->seconds * core::kSecond : INT64_MAX};
    seen.push_back({.games = {}, .until = until, .room = name});
  }
  for (core::EndsSeen& ends : core::ends_seen(delays_.rules(), now)) seen.push_back(std::move(ends));
  const auto all = [](const core::EndsSeen& ends) { return ends.until == core::Wall{INT64_MAX}; };
  if (std::ranges::all_of(seen, all)) seen.clear();
  return seen;
}

std::vector<FeedEvent> Feed::apply(const core::Transaction& transaction, core::Now now, bool silent) {
  std::vector<FeedEvent> events;
  if (silent) forget_all();
  for (const core::Journaled& row : transaction) {
    rooms_.apply(row.fact);
    events_.take(row.fact, now.mono);
    if (!own_ids_ && delays_.concerns(row.fact)) number_anew();
    if (own_ids_) {
      show_anew(delays_.take(row, now), silent, events);
    } else {
      show(row, silent, events);
    }
  }
  if (silent) floor_ = view_.upto();
  return events;
}

std::vector<FeedEvent> Feed::release(core::Now now, bool silent) {
  std::vector<FeedEvent> events;
  if (silent) forget_all();
  show_anew(delays_.release(now.mono), silent, events);
  events_.release(now.mono);
  if (silent) floor_ = view_.upto();
  return events;
}

// In an order of this feed's own.
void Feed::show_anew(std::vector<core::Journaled> rows, bool silent, std::vector<FeedEvent>& events) {
  for (core::Journaled& row : rows) {
    row.seq = core::next(view_.upto());
    show(row, silent, events);
  }
}

std::optional<core::Instant> Feed::next_release() const {
  const auto games = delays_.next(), events = events_.next();
  return games && events ? std::min(*games, *events) : games ? games : events;
}

std::optional<core::LiveChange> Feed::see(const core::Journaled& row) {
  if (const auto* of_event = std::get_if<core::TournamentGame>(&row.fact)) {
    if (find(of_event->game) != nullptr) events_.open(*of_event);
  }
  return view_.apply(row);
}

void Feed::show(const core::Journaled& row, bool silent, std::vector<FeedEvent>& events) {
  const auto change = see(row);
  if (!change) return;
  if (silent) return tell(*change, silent, events);
  events.push_back(
      {row.seq, core::game_of(row.fact), sse(row.seq, event_name(row.fact), event_json(*change, options_.comments))});
  remember(events.back());
  tell(*change, silent, events);
}

// Under the id of what it speaks of: a reader who resumes from there may lack the words.
void Feed::tell(const core::LiveChange& change, bool silent, std::vector<FeedEvent>& events) {
  if (!is_news(change) || !is_told(change.game)) return;
  const core::GameId id = change.game.opened.game;
  const bool comments = are_shown(options_.comments, change.game);
  for (core::Turn& turn : core::turns_of(change.game, comments, change.game.moves.size())) {
    if (!silent && options_.commentator->finds_words()) turn.standing = core::event_standing_of(events_, id);
    options_.commentator->hear(turn, !silent);
    if (silent) continue;
    const core::Told told{turn.ply, core::words_of(turn)};
    events.push_back({change.seq, id, sse(change.seq, "commentary", commentary_json(id, told)), true});
    remember(events.back());
  }
}

bool Feed::is_told(const core::GameStory& game) const {
  const core::Room* room = rooms_.find(game.opened.room);
  return options_.commentator && (room == nullptr || room->rules.commentator);
}

std::optional<std::vector<core::Told>> Feed::commentary(const core::GameStory& game, std::size_t ply) const {
  if (!is_told(game)) return std::nullopt;
  return core::commentary_of(game, are_shown(options_.comments, game), *options_.commentator, ply);
}

std::optional<FeedEvent> Feed::say(core::GameId id, std::int32_t ply) {
  const core::LiveGame* game = find(id);
  const auto told = game == nullptr ? std::nullopt : commentary(*game, static_cast<std::size_t>(ply));
  if (!told || told->empty()) return std::nullopt;
  const core::Seq seq = view_.upto();  // whoever has this has all before it
  remember({seq, id, sse(seq, "commentary", commentary_json(id, told->front())), true});
  return ring_.back();
}

std::optional<std::set<std::string>> Feed::quiet_rooms() const {
  if (!options_.commentator) return std::nullopt;
  std::set<std::string> quiet;
  for (const auto& [name, room] : rooms_.all()) {
    if (!room.rules.commentator) quiet.insert(name);
  }
  return quiet;
}

void Feed::remember(const FeedEvent& event) {
  ring_.push_back(event);
  ring_bytes_ += event.text->plain().size();
  while (ring_.size() > options_.ring_events || ring_bytes_ > options_.ring_bytes) {
    floor_ = ring_.front().seq;
    ring_bytes_ -= ring_.front().text->plain().size();
    ring_.pop_front();
  }
}

void Feed::forget_all() {
  ring_.clear();
  ring_bytes_ = 0;
}

Text Feed::snapshot(const GameFilter& filter, core::Wall now) {
  const auto wanted = [&filter](core::GameId game) { return passes(filter, game); };
  return sse(view_.upto(), "snapshot", snapshot_json(view_.games(), wanted, now, options_.comments));
}

const core::LiveGame* Feed::find(core::GameId id) const {
  const auto found = view_.games().find(id);
  return found == view_.games().end() ? nullptr : &found->second;
}

std::optional<std::vector<FeedEvent>> Feed::since(core::Seq seq) const {
  if (seq < floor_ || seq > view_.upto()) return std::nullopt;
  std::vector<FeedEvent> events;
  std::copy_if(std::ranges::lower_bound(ring_, seq, {}, &FeedEvent::seq), ring_.end(), std::back_inserter(events),
               [seq](const FeedEvent& event) { return event.seq > seq || event.idempotent; });
  return events;
}

}  // namespace fuhyo::net
