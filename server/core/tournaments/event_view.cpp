#include "server/core/tournaments/event_view.h"

#include <algorithm>
#include <utility>

#include "server/core/tournament/decisions.h"

namespace fuhyo::core {
namespace {

// What is stored has been judged; no name is too long here.
constexpr std::size_t kAnyIdentifier = 1024;

const tournament::GameResult* result_in(const Fact& fact) {
  const auto* decided = std::get_if<TournamentDecided>(&fact);
  return decided == nullptr ? nullptr : std::get_if<tournament::GameResult>(&decided->decision);
}

}  // namespace

EventView::Shown& EventView::called(const std::string& name) {
  return shown_.try_emplace(name, Shown{.event = RunningEvent(kAnyIdentifier)}).first->second;
}

const EventView::Shown* EventView::find(std::string_view name) const {
  const auto found = shown_.find(name);
  return found == shown_.end() ? nullptr : &found->second;
}

bool EventView::is_behind(std::string_view name) const {
  const auto found = delayed_.find(name);
  return found != delayed_.end() && !found->second.waiting.empty();
}

// What the settings say now of a game that has ended.
std::int32_t EventView::stored_delay_s(const TournamentDecided& fact, const Rooms& rooms) const {
  const auto* result = std::get_if<tournament::GameResult>(&fact.decision);
  if (result == nullptr || result->record.empty()) return 0;
  const RunningEvent& event = shown_.at(fact.event).event;
  const tournament::DivisionKey key = result->game.division;
  const auto& stages = event.event().stages;
  if (static_cast<std::size_t>(key.stage) >= stages.size()) return 0;
  if (static_cast<std::size_t>(key.division) >= stages[static_cast<std::size_t>(key.stage)].divisions.size()) return 0;
  const std::string name = event.game_name(key);
  const Room* room = rooms.claiming(name);
  return (room != nullptr && room->rules.showing ? *room->rules.showing : delay_of(delays_, name)).seconds;
}

void EventView::begin(const Recovery& recovered, const Rooms& rooms, Now now) {
  shown_.clear();
  delayed_.clear();
  seconds_.clear();
  ++revision_;
  for (const Journaled& row : recovered.keyed_facts) {
    if (const auto* set = std::get_if<TournamentSet>(&row.fact)) show(set->name, row.fact);
  }
  for (const Journaled& row : recovered.keyed_facts) {
    const std::string* name = event_of(row.fact);
    if (name == nullptr || std::holds_alternative<TournamentSet>(row.fact)) continue;
    called(*name);
    Instant due = now.mono;
    if (const auto* decided = std::get_if<TournamentDecided>(&row.fact)) {
      // A clock that was set back since does not keep it for longer than it had to wait at first.
      const std::int64_t ago_us = std::max<std::int64_t>(0, now.wall.us - decided->at.us);
      due = Instant{now.mono.us - ago_us + stored_delay_s(*decided, rooms) * kSecond};
    }
    put(*name, row.fact, due, now.mono);
  }
  for (auto& [name, shown] : shown_) shown.event.settle();
  for (const Journaled& row : recovered.live) take(row.fact, now.mono);
}

void EventView::take(const Fact& fact, Instant now) {
  if (const auto* opened = std::get_if<GameOpened>(&fact)) {
    const std::int32_t seconds = delay_of(delays_, *opened).seconds;
    if (seconds > 0) seconds_[opened->game] = seconds;
  }
  if (std::holds_alternative<GameEnded>(fact) || std::holds_alternative<GameRejected>(fact)) {
    seconds_.erase(game_of(fact));
  }
  if (const auto* game = std::get_if<TournamentGame>(&fact)) {
    const auto found = seconds_.find(game->game);
    if (found != seconds_.end()) delayed_[game->event].late[game->key] = found->second;
  }
  const std::string* name = event_of(fact);
  if (name == nullptr) return;
  Instant due = now;
  if (const auto* result = result_in(fact)) {
    const auto late = delayed_[*name].late.extract(result->game);
    if (!late.empty()) due = now + late.mapped() * kSecond;
  }
  // All its games are over, and what their ends still hold back comes before this.
  if (std::holds_alternative<TournamentDeleted>(fact)) delayed_[*name].late.clear();
  put(*name, fact, due, now);
}

void EventView::put(const std::string& event, const Fact& fact, Instant due, Instant now) {
  Delayed& delayed = delayed_[event];
  if (delayed.waiting.empty() && due <= now) return show(event, fact);
  if (!delayed.waiting.empty()) due = std::max(due, delayed.waiting.back().due);
  delayed.waiting.push_back({due, fact});
}

void EventView::show(const std::string& event_name, const Fact& fact) {
  if (std::holds_alternative<TournamentDeleted>(fact)) {
    ++revision_;
    shown_.erase(event_name);
    return;
  }
  Shown& shown = called(event_name);
  shown.revision = ++revision_;
  RunningEvent& event = shown.event;
  event.keep(fact);
  if (std::holds_alternative<TournamentSet>(fact)) event.settle();
  if (const auto* result = result_in(fact)) event.games.erase(result->game);
}

void EventView::open(const TournamentGame& fact) {
  const auto found = shown_.find(fact.event);
  if (found == shown_.end()) return;  // it is deleted
  Shown& shown = found->second;
  shown.revision = ++revision_;
  // Of a hidden game its result may have come first.
  const auto& results = shown.event.state().division(fact.key.division).results;
  const auto result = results.find(fact.key);
  if (result == results.end() || result->second.id != fact.game) shown.event.games[fact.key] = fact.game;
}

void EventView::release(Instant now) {
  for (auto& [name, delayed] : delayed_) {
    if (delayed.waiting.empty() || delayed.waiting.front().due > now) continue;
    while (!delayed.waiting.empty() && delayed.waiting.front().due <= now) {
      const Late late = std::move(delayed.waiting.front());
      delayed.waiting.pop_front();
      show(name, late.fact);
    }
    const auto shown = shown_.find(name);
    if (shown != shown_.end())
      shown->second.event.settle();  // after a start entries may come in another order than that of their numbers
  }
}

std::optional<Instant> EventView::next() const {
  std::optional<Instant> first;
  for (const auto& [name, delayed] : delayed_) {
    if (!delayed.waiting.empty() && (!first || delayed.waiting.front().due < *first))
      first = delayed.waiting.front().due;
  }
  return first;
}

}  // namespace fuhyo::core
