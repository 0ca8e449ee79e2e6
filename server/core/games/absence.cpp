// Players who are away from a running game, and how they come back: a line that broke with a grace time, games that the
// end of the server suspended (PROTOCOL.md, "Coming back").
#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "engines/record/csa_move.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

TimerKey absence_timer(GameId id, shogi::Color side) {
  return {TimerKey::Kind::absence, value(id) * 2 + static_cast<std::uint64_t>(side)};
}
TimerKey window_timer(GameId id) { return {TimerKey::Kind::window, value(id)}; }
TimerKey flag_timer(GameId id) { return {TimerKey::Kind::flag, value(id)}; }

const Seat& seat_of(const Table& table, shogi::Color side) {
  return side == shogi::BLACK ? table.game.opened().black : table.game.opened().white;
}

// Who a seat waits for. Built-in players are known by their name: their secrets are new with every start. No name or id
// has a line end in it.
std::string key_of(std::string_view room, bool builtin, std::string_view name, std::string_view id) {
  return fmt::format("{}\n{}{}", room == kDemoRoom ? kDemoRoom : kMainRoom, builtin ? "\n" : "",
                     builtin || id.empty() ? name : id);
}
std::string key_of(const Table& table, shogi::Color side) {
  const Seat& seat = seat_of(table, side);
  return key_of(table.game.opened().room, seat.builtin, seat.name, seat.id);
}
std::string key_of(const Session& s) {
  return key_of(s.room, s.door == Door::builtin, s.name, s.has_trip ? std::string_view(s.id) : std::string_view());
}

std::int32_t unit_s(const GameOpened& opened, shogi::Color side) {
  return std::max(1, opened.time_of(side).stopwatch_s);
}

// Whole units of the turn under way that are off the clock when its player is told how much he has left. Rounded up, so
// that he never believes to have more; never more than he has left, because byoyomi and increment cannot be told.
std::int32_t burnt_s(const Table& table, std::int64_t used_us) {
  const std::int64_t unit = unit_s(table.game.opened(), table.game.to_move());
  const std::int64_t left_s = table.game.clock().remaining_s(table.game.to_move()) / unit * unit;
  const std::int64_t used_s = (used_us + unit * kSecond - 1) / (unit * kSecond) * unit;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(used_s, 0, left_s));
}

std::string without_time(std::string_view move) { return std::string(move.substr(0, move.find(','))); }

}  // namespace

// ---- going ----

bool Games::may_come_back(const Table& table) const {
  return table.phase.has_started() && (table.phase.is_suspended() || table.game.opened().grace_s > 0);
}

bool Games::is_away(const Table& table, shogi::Color side) const {
  const auto found = absent_.find(key_of(table, side));
  return found != absent_.end() && found->second == std::pair(table.game.id(), side);
}

void Games::step_away(Table& table, shogi::Color side, bool told) {
  const GameId id = table.game.id();
  table.seats[side] = ConnId{};
  table.agreed[side] = false;
  absent_.insert_or_assign(key_of(table, side), std::pair(id, side));
  if (table.phase.is_suspended()) return;
  const std::int32_t grace_s = table.game.opened().grace_s;
  timers_.set(absence_timer(id, side), now_.mono + grace_s * kSecond);
  if (told) {
    tell_of(table, fmt::format("{} is away", seat_of(table, side).name),
            fmt::format("{} is away, and may come back within {} s", seat_of(table, side).name, grace_s));
  }
  // Nobody will answer the pass that looks for a last move.
  if (std::exchange(table.read_pass, 0) != 0) timers_.set(flag_timer(id), now_.mono);
}

void Games::tell_of(Table& table, std::string text, std::string_view to_players) {
  happen(table, RecordNote{table.game.id(), std::move(text)});
  notice(table, to_players);
}

void Games::forget_absences(const Table& table) {
  const GameId id = table.game.id();
  timers_.cancel(window_timer(id));
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    timers_.cancel(absence_timer(id, side));
    if (is_away(table, side)) absent_.erase(key_of(table, side));
  }
}

// ---- coming back ----

// The seat that waits for the session, if any.
std::optional<std::pair<GameId, shogi::Color>> Games::seat_for(const Session& s) {
  const auto found = absent_.find(key_of(s));
  if (found == absent_.end()) return std::nullopt;
  if (parts_.logins.reads_along(s, find(found->second.first)->game.opened().game_name)) return std::nullopt;
  return found->second;
}

bool Games::is_awaited(const Session& s, std::string_view name, std::string_view id, bool has_trip) const {
  return absent_.contains(key_of(s.room, s.door == Door::builtin, name, has_trip ? id : std::string_view()));
}

bool Games::come_back(Session& s) {
  const auto seat = seat_for(s);
  if (!seat) return false;
  sit_down(*find(seat->first), seat->second, s);
  return true;
}

void Games::sit_down(Table& table, shogi::Color side, Session& s) {
  const GameId id = table.game.id();
  // What the former connection said and nobody has looked at yet is void: the summary does not know of it. And if his
  // time ran out while the game waited for the disk, that is held against nobody.
  std::erase_if(table.inbox, [side](const Waiting& waiting) {
    return waiting.side == side && !std::holds_alternative<Gone>(waiting.said);
  });
  table.seats[side] = s.conn;
  table.agreed[side] = false;
  table.told_plies[side] = table.game.moves().size();
  s.game = id;
  s.room = table.game.opened().room;
  s.wanted = csa::parse_game_name(table.game.opened().game_name, rules_.max_identifier).value_or(csa::GameName{});
  s.turn = side == shogi::BLACK ? csa::Turn::black : csa::Turn::white;
  s.phase = Phase::agree_waiting;
  const TimerKey deadline = table.phase.is_suspended() ? window_timer(id) : absence_timer(id, side);
  const auto due = timers_.when(deadline);
  if (!due || *due < now_.mono + limits_.agree_us) timers_.set(deadline, now_.mono + limits_.agree_us);
  if (!s.by_token) return send(s.conn, standing_summary(table, side));
  s.phase = Phase::start_waiting;  // such a client says no AGREE
  table.agreed[side] = true;
  returned(table, side);
}

// He has agreed to go on.
void Games::returned(Table& table, shogi::Color side) {
  if (!table.phase.is_suspended()) return rejoin(table, side);
  if (table.agreed[shogi::BLACK] && table.agreed[shogi::WHITE]) continue_game(table);
}

void Games::rejoin(Table& table, shogi::Color side) {
  const GameId id = table.game.id();
  timers_.cancel(absence_timer(id, side));
  absent_.erase(key_of(table, side));
  Session& s = *parts_.sessions.find(table.seats[side]);
  s.phase = Phase::game;
  begin_again(table, side, s);
  const std::vector<std::string>& moves = table.game.moves();
  for (std::size_t i = table.told_plies[side]; i < moves.size(); ++i) send(s.conn, moves[i] + "\n");
  tell_of(table, fmt::format("{} is back", s.name), fmt::format("{} is back", s.name));
}

void Games::begin_again(Table& table, shogi::Color side, const Session& s) {
  if (!s.by_token) return send(s.conn, csa::start(table.game.opened().csa_id));
  csa::ReconnectState state{.to_move = table.game.to_move(), .last_move = {}};
  if (!table.game.moves().empty()) state.last_move = without_time(table.game.moves().back());
  for (const shogi::Color each : {shogi::BLACK, shogi::WHITE}) {
    const std::int64_t used_us = each == table.game.to_move() ? table.turn.elapsed_us(now_.mono) : 0;
    state.remaining_ms[each] =
        std::max<std::int64_t>(0, std::int64_t{table.game.clock().remaining_s(each)} * 1000 - used_us / 1000);
  }
  send(s.conn, standing_summary(table, side) + csa::reconnect_state(state));
}

// The game as it stands: start, moves, and what the player has left.
std::string Games::standing_summary(Table& table, shogi::Color side) {
  const GameOpened& opened = table.game.opened();
  csa::Summary summary = summary_of(table.game);
  summary.your_turn = side;
  summary.board = record::csa_board(*shogi::Position::from_sfen(opened.start_sfen));
  summary.preset_moves = table.game.moves();
  summary.reconnect_token = token_for(table, side);
  table.told_s[side] = 0;
  const Session* s = parts_.sessions.find(table.seats[side]);
  if (s != nullptr && s->by_token) {  // the position alone: this form knows no moves before it
    summary.board = record::csa_board(table.game.position());
    summary.preset_moves.clear();
  } else if (rules_.times_as_played) {
    return csa::game_summary(summary);
  }
  if (side == table.game.to_move() && !opened.time_of(side).unlimited()) {
    table.told_s[side] = burnt_s(table, table.turn.elapsed_us(now_.mono));
  }
  const auto left = [&](shogi::Color of) {  // of the opponent as after his last move: his next T has the rest
    return (table.game.clock().remaining_s(of) - (of == side ? table.told_s[side] : 0)) / unit_s(opened, of);
  };
  if (summary.white_time) {
    if (!opened.time.unlimited()) summary.time.total = left(shogi::BLACK);
    if (!opened.white_time->unlimited()) summary.white_time->total = left(shogi::WHITE);
  } else if (!opened.time.unlimited()) {
    summary.time.total = left(side);
  }
  for (std::string& move : summary.preset_moves) move = without_time(move) + ",T0";
  return csa::game_summary(summary);
}

std::string Games::token_for(const Table& table, shogi::Color side) const {
  const GameOpened& opened = table.game.opened();
  const bool of_use = opened.grace_s > 0 || opened.resume == ResumeRule::position;
  if (!of_use || !rules_.reconnect_token) return {};
  return rules_.reconnect_token(opened.csa_id, seat_of(table, side).name);
}

// "<Game_ID>+<token>" of a player who may come back.
bool Games::is_token_of(std::string_view reconnect, std::string_view name) {
  const auto plus = reconnect.rfind('+');
  if (plus == reconnect.npos || !rules_.reconnect_token) return false;
  const Table* table = find(reconnect.substr(0, plus));
  if (table == nullptr || !may_come_back(*table) || table->phase.awaits_verdict()) return false;
  return std::ranges::any_of(std::array{shogi::BLACK, shogi::WHITE}, [&](shogi::Color side) {
    return seat_of(*table, side).name == name && token_for(*table, side) == reconnect.substr(plus + 1);
  });
}

// ---- not coming back ----

void Games::absence_due(std::uint64_t seat) {
  const GameId id{seat / 2};
  Table* table = find(id);
  if (table == nullptr) return;
  table->inbox.push_back({.conn = {},
                          .side = (seat & 1) == 0 ? shogi::BLACK : shogi::WHITE,
                          .said = GivenUp{"did not come back"},
                          .arrived = now_.mono});
  work_off(id);
}

void Games::give_up_on(Table& table, shogi::Color side, const std::string& why) {
  if (!is_away(table, side)) return;
  if (is_away(table, ~side)) {
    for (const shogi::Color each : {shogi::BLACK, shogi::WHITE}) blame(seat_of(table, each));
    return finish(table, table.game.interrupted("both players " + why));
  }
  rule(table, table.game.abandoned_by(side, why), ConnId{});
}

void Games::window_due(GameId id) {
  Table* table = find(id);
  if (table == nullptr || !table->phase.is_suspended()) return;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    if (!table->agreed[side]) continue;
    absent_.erase(key_of(*table, side));
    return rule(*table, table->game.abandoned_by(~side, "did not come back"), ConnId{});
  }
  finish(*table, table->game.interrupted("the players did not come back"));
}

// ---- the end of the server, and the next beginning ----

void Games::suspend(Table& table, std::string why) {
  table.turn.stop(now_.mono);
  table.agreed = {};
  table.read_pass = 0;
  table.inbox.clear();
  timers_.cancel(flag_timer(table.game.id()));
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) timers_.cancel(absence_timer(table.game.id(), side));
  happen(table, GameSuspended{
                    .game = table.game.id(), .used_us = table.turn.used_us(), .why = std::move(why), .at = now_.wall});
}

void Games::on(const Stop&) {
  on(Drain{});
  context_.stopping = true;
  std::vector<GameId> running;
  for (const auto& [id, table] : tables_) {
    if (!table.phase.is_suspended()) running.push_back(id);
  }
  for (const GameId id : running) {
    Table& table = *find(id);
    // Who had left before, while the game waited for the disk, has lost. What else waits is void: nobody knows of it.
    const auto left = std::ranges::find_if(table.inbox, [](const Waiting& waiting) {
      return std::holds_alternative<Gone>(waiting.said) || std::holds_alternative<GivenUp>(waiting.said);
    });
    if (const auto* gone = left == table.inbox.end() ? nullptr : std::get_if<Gone>(&left->said)) {
      rule(table, table.game.abandoned_by(left->side, gone->why), left->conn);
    } else if (table.game.opened().resume == ResumeRule::abort) {
      finish(table, table.game.interrupted("the server stopped"));
    } else {
      suspend(table, "the server stopped");
      notice(table, "the server stops; the game goes on after its next start");
    }
  }
}

// Both are there: their clocks stand where they stood.
void Games::continue_game(Table& table) {
  forget_absences(table);
  if (table.event) parts_.tournaments.stir();
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    Session& s = *parts_.sessions.find(table.seats[side]);
    s.phase = Phase::game;
    begin_again(table, side, s);
  }
  const Seq seq = happen(table, GameContinued{.game = table.game.id(), .at = now_.wall});
  note(Note::Level::info, fmt::format("game {} goes on", table.game.opened().csa_id));
  wait_for_journal(table, seq);
}

// Whoever runs the server lets a game go on that waits for a verdict: its players are seated when they come, and those
// who are here at once.
void Games::let_go_on(Table& table) {
  table.phase.await_verdict(false);
  await_players(table);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    Session* s = parts_.sessions.find_name(seat_of(table, side).name);
    if (s == nullptr || (s->phase != Phase::connected && s->phase != Phase::game_waiting)) continue;
    if (seat_for(*s) != std::pair(table.game.id(), side)) continue;
    parts_.lobby.leave_queue(*s);
    sit_down(table, side, *s);
  }
}

void Games::revive(Table& table) {
  const GameOpened& opened = table.game.opened();
  note(Note::Level::info,
       fmt::format("game {} {}", opened.csa_id,
                   opened.resume == ResumeRule::position ? "waits for its players" : "waits for a verdict"));
  if (!table.phase.is_suspended()) suspend(table, "the server stopped");
  table.phase.await_verdict(opened.resume == ResumeRule::adjudicate);
  if (!table.phase.awaits_verdict()) await_players(table);
}

void Games::await_players(Table& table) {
  const GameId id = table.game.id();
  std::int64_t window_us = rules_.resume_window_us;
  if (table.event) window_us = std::max(window_us, table.game.opened().grace_s * kSecond);
  timers_.set(window_timer(id), now_.mono + window_us);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    absent_.try_emplace(key_of(table, side), std::pair(id, side));
  }
}

}  // namespace fuhyo::core
