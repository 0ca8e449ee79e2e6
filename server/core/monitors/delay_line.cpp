#include "server/core/monitors/delay_line.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace fuhyo::core {
namespace {

// Nothing: the fact bears no time.
std::optional<Wall> time_of(const Fact& fact) {
  return std::visit(
      [](const auto& f) -> std::optional<Wall> {
        if constexpr (requires { f.at; }) return f.at;
        return std::nullopt;
      },
      fact);
}

void set_time(Fact& fact, Wall at) {
  std::visit(
      [at](auto& f) {
        if constexpr (requires { f.at; }) f.at = at;
      },
      fact);
}

bool is_end(const Fact& fact) {
  return std::holds_alternative<GameEnded>(fact) || std::holds_alternative<GameRejected>(fact);
}

bool is_move(const Fact& fact) { return std::holds_alternative<MoveMade>(fact); }

// About what it takes in memory: the long texts are what players say, and they write them.
std::size_t bytes_of(const Journaled& row) {
  std::size_t bytes = sizeof(Journaled);
  if (const auto* made = std::get_if<MoveMade>(&row.fact)) bytes += made->comment.size();
  if (const auto* said = std::get_if<CommentAdded>(&row.fact)) bytes += said->comment.size();
  if (const auto* note = std::get_if<RecordNote>(&row.fact)) bytes += note->text.size();
  return bytes;
}

}  // namespace

bool DelayLine::concerns(const Fact& fact) const {
  if (!rules_.empty()) return true;
  const auto* opened = std::get_if<GameOpened>(&fact);
  return opened != nullptr ? opened->showing.has_value() : games_.contains(game_of(fact));
}

std::vector<EndsSeen> DelayLine::ends_seen(Wall now) const {
  std::map<std::int32_t, std::vector<GameId>> by_delay;
  for (const auto& [id, game] : games_) {
    if (game.of_room && game.delay.seconds > 0) by_delay[game.delay.seconds].push_back(id);
  }
  std::vector<EndsSeen> seen;
  for (auto& [seconds, ids] : by_delay) {
    seen.push_back({.games = {}, .until = Wall{now.us - seconds * kSecond}, .ids = std::move(ids)});
  }
  return seen;
}

std::vector<Journaled> DelayLine::begin(const std::vector<Journaled>& live, Now now) {
  games_.clear();
  late_.clear();
  bytes_ = waiting_ = 0;
  if (std::ranges::none_of(live, [this](const Journaled& row) { return concerns(row.fact); })) return live;
  std::vector<Journaled> seen;
  Wall last{};
  for (const Journaled& row : live) {
    last = time_of(row.fact).value_or(last);
    // A clock that was set back since does not keep it for longer than it had to wait at first.
    put(row, Instant{now.mono.us - std::max<std::int64_t>(0, now.wall.us - last.us)}, seen);
  }
  for (Journaled& row : release(now.mono)) seen.push_back(std::move(row));
  std::ranges::sort(seen, {}, &Journaled::seq);
  return seen;
}

std::vector<Journaled> DelayLine::take(Journaled row, Now now) {
  std::vector<Journaled> seen = release(now.mono);
  put(std::move(row), now.mono, seen);
  return seen;
}

std::vector<Journaled> DelayLine::release(Instant now) {
  std::vector<Journaled> seen;
  while (!late_.empty() && late_.begin()->first <= now) {
    Late late = std::move(late_.extract(late_.begin()).mapped());
    drop(late.row);
    if (is_end(late.row.fact)) games_.erase(late.game);
    seen.push_back(std::move(late.row));
  }
  return seen;
}

std::optional<Instant> DelayLine::next() const {
  return late_.empty() ? std::nullopt : std::optional(late_.begin()->first);
}

void DelayLine::put(Journaled row, Instant happened, std::vector<Journaled>& seen) {
  if (const auto* opened = std::get_if<GameOpened>(&row.fact)) {
    const SpectatorDelay delay = delay_of(rules_, *opened);
    if (delay == SpectatorDelay{}) return seen.push_back(std::move(row));
    Game& game = games_.insert_or_assign(opened->game, Game{.delay = delay, .of_room = opened->showing.has_value()})
                     .first->second;
    if (!delay.hidden) return seen.push_back(std::move(row));
    add(row);
    return game.behind.push_back(std::move(row));
  }
  const auto found = games_.find(game_of(row.fact));
  if (found == games_.end()) return seen.push_back(std::move(row));
  Game& game = found->second;
  if (!is_end(row.fact) && !fits_in(game, row)) return;
  if (game.delay.seconds > 0) return put_late(game, std::move(row), happened);
  const bool over = is_end(row.fact);
  if (game.delay.hidden && std::holds_alternative<GameRejected>(row.fact)) {
    drop_all(game, found->first);  // nobody has to know that there was one
  } else {
    put_behind(game, std::move(row), seen);
  }
  if (over) games_.erase(found);
}

void DelayLine::put_late(Game& game, Journaled row, Instant happened) {
  const std::int64_t delay_us = game.delay.seconds * kSecond;
  game.latest = std::max(game.latest, happened + delay_us);
  if (const auto at = time_of(row.fact)) set_time(row.fact, Wall{at->us + delay_us});
  add(row);
  const GameId id = game_of(row.fact);
  late_.emplace(game.latest, Late{std::move(row), id});
}

// The move that is made brings the one that is so many moves older to sight, and what stands between that one and the
// next; the end brings all of it.
void DelayLine::put_behind(Game& game, Journaled row, std::vector<Journaled>& seen) {
  const std::optional<Wall> at = time_of(row.fact);
  const bool over = is_end(row.fact);
  add(row);
  game.moves_behind += is_move(row.fact) ? 1 : 0;
  game.behind.push_back(std::move(row));
  while (!game.behind.empty()) {
    Journaled& oldest = game.behind.front();
    const bool move = is_move(oldest.fact);
    if (!over && (game.delay.hidden || (move && game.moves_behind <= game.delay.moves))) return;
    game.moves_behind -= move ? 1 : 0;
    drop(oldest);
    if (at && !game.delay.hidden) set_time(oldest.fact, *at);
    seen.push_back(std::move(oldest));
    game.behind.pop_front();
  }
}

bool DelayLine::fits_in(Game& game, const Journaled& row) {
  if (!game.lost && bytes_ + bytes_of(row) > most_bytes_) lose(game, game_of(row.fact));
  if (game.lost) ++lost_;
  return !game.lost;
}

void DelayLine::lose(Game& game, GameId id) {
  game.lost = true;
  const std::size_t before = waiting_;
  drop_all(game, id);
  lost_ += before - waiting_;
}

void DelayLine::drop_all(Game& game, GameId id) {
  for (const Journaled& row : game.behind) drop(row);
  game.behind.clear();
  game.moves_behind = 0;
  std::erase_if(late_, [&](const auto& entry) {
    if (entry.second.game != id) return false;
    drop(entry.second.row);
    return true;
  });
}

void DelayLine::add(const Journaled& row) {
  ++waiting_;
  bytes_ += bytes_of(row);
}

void DelayLine::drop(const Journaled& row) {
  --waiting_;
  bytes_ -= bytes_of(row);
}

}  // namespace fuhyo::core
