// Players who are away from a running game, and how they come back: a lost connection with a grace time, games that the
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

const Seat& seat_of(const GameSession& session, shogi::Color side) {
  return side == shogi::BLACK ? session.game.opened().black : session.game.opened().white;
}

// Who a seat waits for. Built-in players are known by their name: their secrets are new with every start. No name or id
// has a line end in it.
std::string key_of(std::string_view room, bool builtin, std::string_view name, std::string_view id) {
  return fmt::format("{}\n{}{}", room == kDemoRoom ? kDemoRoom : kMainRoom, builtin ? "\n" : "",
                     builtin || id.empty() ? name : id);
}
std::string key_of(const GameSession& session, shogi::Color side) {
  const Seat& seat = seat_of(session, side);
  return key_of(session.game.opened().room, seat.builtin, seat.name, seat.id);
}
std::string key_of(const Session& player) {
  return key_of(player.room, player.kind == ConnectionKind::builtin, player.name,
                player.has_trip ? std::string_view(player.id) : std::string_view());
}

std::int32_t unit_s(const GameOpened& opened, shogi::Color side) {
  return std::max(1, opened.time_of(side).stopwatch_s);
}

// Whole units of the turn under way that are off the clock when its player is told how much he has left. Rounded up, so
// that he never believes to have more; never more than he has left, because byoyomi and increment cannot be told.
std::int32_t burnt_s(const GameSession& session, std::int64_t used_us) {
  const std::int64_t unit = unit_s(session.game.opened(), session.game.to_move());
  const std::int64_t left_s = session.game.clock().remaining_s(session.game.to_move()) / unit * unit;
  const std::int64_t used_s = (used_us + unit * kSecond - 1) / (unit * kSecond) * unit;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(used_s, 0, left_s));
}

std::string without_time(std::string_view move) { return std::string(move.substr(0, move.find(','))); }

}  // namespace

// ---- going ----

bool Games::may_come_back(const GameSession& session) const {
  return session.game.phase().has_started() &&
         (session.game.phase().is_suspended() || session.game.opened().grace_s > 0);
}

bool Games::is_away(const GameSession& session, shogi::Color side) const {
  const auto found = absent_.find(key_of(session, side));
  return found != absent_.end() && found->second == std::pair(session.game.id(), side);
}

void Games::step_away(GameSession& session, shogi::Color side, bool told) {
  const GameId id = session.game.id();
  session.seats[side] = ConnId{};
  session.agreed[side] = false;
  absent_.insert_or_assign(key_of(session, side), std::pair(id, side));
  if (session.game.phase().is_suspended()) return;
  const std::int32_t grace_s = session.game.opened().grace_s;
  timers_.set(absence_timer(id, side), now_.mono + grace_s * kSecond);
  if (told) {
    tell_of(session, fmt::format("{} is away", seat_of(session, side).name),
            fmt::format("{} is away, and may come back within {} s", seat_of(session, side).name, grace_s));
  }
  // Nobody will answer the pass that looks for a last move.
  if (std::exchange(session.read_pass, 0) != 0) timers_.set(flag_timer(id), now_.mono);
}

void Games::tell_of(GameSession& session, std::string text, std::string_view to_players) {
  happen(session, RecordNote{session.game.id(), std::move(text)});
  notice(session, to_players);
}

void Games::forget_absences(const GameSession& session) {
  const GameId id = session.game.id();
  timers_.cancel(window_timer(id));
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    timers_.cancel(absence_timer(id, side));
    if (is_away(session, side)) absent_.erase(key_of(session, side));
  }
}

// ---- coming back ----

// The seat that waits for the session, if any.
std::optional<std::pair<GameId, shogi::Color>> Games::seat_for(const Session& player) {
  const auto found = absent_.find(key_of(player));
  if (found == absent_.end()) return std::nullopt;
  if (parts_.logins.reads_along(player, find(found->second.first)->game.opened().game_name)) return std::nullopt;
  return found->second;
}

bool Games::is_awaited(const Session& player, std::string_view name, std::string_view id, bool has_trip) const {
  return absent_.contains(
      key_of(player.room, player.kind == ConnectionKind::builtin, name, has_trip ? id : std::string_view()));
}

bool Games::come_back(Session& player) {
  const auto seat = seat_for(player);
  if (!seat) return false;
  sit_down(*find(seat->first), seat->second, player);
  return true;
}

void Games::sit_down(GameSession& session, shogi::Color side, Session& player) {
  const GameId id = session.game.id();
  // What the former connection said and nobody has looked at yet is void: the summary does not know of it. And if his
  // time ran out while the game waited for the disk, that is held against nobody.
  std::erase_if(session.inbox, [side](const GameInput& input) {
    return input.side == side && !std::holds_alternative<Disconnected>(input.what);
  });
  session.seats[side] = player.conn;
  session.agreed[side] = false;
  session.told_plies[side] = session.game.moves().size();
  player.game = id;
  player.room = session.game.opened().room;
  player.wanted =
      csa::parse_game_name(session.game.opened().game_name, rules_.max_identifier).value_or(csa::GameName{});
  player.turn = side == shogi::BLACK ? csa::Turn::black : csa::Turn::white;
  player.phase = Phase::agree_waiting;
  const TimerKey deadline = session.game.phase().is_suspended() ? window_timer(id) : absence_timer(id, side);
  const auto due = timers_.when(deadline);
  if (!due || *due < now_.mono + limits_.agree_us) timers_.set(deadline, now_.mono + limits_.agree_us);
  if (!player.by_token) return send(player.conn, standing_summary(session, side));
  player.phase = Phase::start_waiting;  // such a client says no AGREE
  session.agreed[side] = true;
  returned(session, side);
}

// He has agreed to go on.
void Games::returned(GameSession& session, shogi::Color side) {
  if (!session.game.phase().is_suspended()) return rejoin(session, side);
  if (session.agreed[shogi::BLACK] && session.agreed[shogi::WHITE]) continue_game(session);
}

void Games::rejoin(GameSession& session, shogi::Color side) {
  const GameId id = session.game.id();
  timers_.cancel(absence_timer(id, side));
  absent_.erase(key_of(session, side));
  Session& player = *parts_.sessions.find(session.seats[side]);
  player.phase = Phase::game;
  begin_again(session, side, player);
  const std::vector<std::string>& moves = session.game.moves();
  for (std::size_t i = session.told_plies[side]; i < moves.size(); ++i) send(player.conn, moves[i] + "\n");
  tell_of(session, fmt::format("{} is back", player.name), fmt::format("{} is back", player.name));
}

void Games::begin_again(GameSession& session, shogi::Color side, const Session& player) {
  if (!player.by_token) return send(player.conn, csa::start(session.game.opened().csa_id));
  csa::ReconnectState state{.to_move = session.game.to_move(), .last_move = {}};
  if (!session.game.moves().empty()) state.last_move = without_time(session.game.moves().back());
  for (const shogi::Color each : {shogi::BLACK, shogi::WHITE}) {
    const std::int64_t used_us = each == session.game.to_move() ? session.turn.elapsed_us(now_.mono) : 0;
    state.remaining_ms[each] =
        std::max<std::int64_t>(0, std::int64_t{session.game.clock().remaining_s(each)} * 1000 - used_us / 1000);
  }
  send(player.conn, standing_summary(session, side) + csa::reconnect_state(state));
}

// The game as it stands: start, moves, and what the player has left.
std::string Games::standing_summary(GameSession& session, shogi::Color side) {
  const GameOpened& opened = session.game.opened();
  csa::Summary summary = summary_of(session.game);
  summary.your_turn = side;
  summary.board = record::csa_board(*shogi::Position::from_sfen(opened.start_sfen));
  summary.preset_moves = session.game.moves();
  summary.reconnect_token = token_for(session, side);
  session.told_s[side] = 0;
  const Session* player = parts_.sessions.find(session.seats[side]);
  if (player != nullptr && player->by_token) {  // the position alone: this form knows no moves before it
    summary.board = record::csa_board(session.game.position());
    summary.preset_moves.clear();
  } else if (rules_.times_as_played) {
    return csa::game_summary(summary);
  }
  if (side == session.game.to_move() && !opened.time_of(side).unlimited()) {
    session.told_s[side] = burnt_s(session, session.turn.elapsed_us(now_.mono));
  }
  const auto left = [&](shogi::Color of) {  // of the opponent as after his last move: his next T has the rest
    return (session.game.clock().remaining_s(of) - (of == side ? session.told_s[side] : 0)) / unit_s(opened, of);
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

std::string Games::token_for(const GameSession& session, shogi::Color side) const {
  const GameOpened& opened = session.game.opened();
  const bool of_use = opened.grace_s > 0 || opened.resume == ResumeRule::position;
  if (!of_use || !rules_.reconnect_token) return {};
  return rules_.reconnect_token(opened.csa_id, seat_of(session, side).name);
}

// "<Game_ID>+<token>" of a player who may come back.
bool Games::is_token_of(std::string_view reconnect, std::string_view name) {
  const auto plus = reconnect.rfind('+');
  if (plus == reconnect.npos || !rules_.reconnect_token) return false;
  const GameSession* session = find(reconnect.substr(0, plus));
  if (session == nullptr || !may_come_back(*session) || session->game.phase().awaits_verdict()) return false;
  return std::ranges::any_of(std::array{shogi::BLACK, shogi::WHITE}, [&](shogi::Color side) {
    return seat_of(*session, side).name == name && token_for(*session, side) == reconnect.substr(plus + 1);
  });
}

// ---- not coming back ----

void Games::absence_due(std::uint64_t seat) {
  const GameId id{seat / 2};
  GameSession* session = find(id);
  if (session == nullptr) return;
  session->inbox.push_back({.conn = {},
                            .side = (seat & 1) == 0 ? shogi::BLACK : shogi::WHITE,
                            .what = GraceExpired{"did not come back"},
                            .arrived = now_.mono});
  work_off(id);
}

void Games::give_up_on(GameSession& session, shogi::Color side, const std::string& why) {
  if (!is_away(session, side)) return;
  if (is_away(session, ~side)) {
    for (const shogi::Color each : {shogi::BLACK, shogi::WHITE}) blame(seat_of(session, each));
    return finish(session, session.game.interrupted("both players " + why));
  }
  rule(session, session.game.abandoned_by(side, why), ConnId{});
}

void Games::window_due(GameId id) {
  GameSession* session = find(id);
  if (session == nullptr || !session->game.phase().is_suspended()) return;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    if (!session->agreed[side]) continue;
    absent_.erase(key_of(*session, side));
    return rule(*session, session->game.abandoned_by(~side, "did not come back"), ConnId{});
  }
  finish(*session, session->game.interrupted("the players did not come back"));
}

// ---- the end of the server, and the next beginning ----

void Games::suspend(GameSession& session, std::string why) {
  session.turn.stop(now_.mono);
  session.agreed = {};
  session.read_pass = 0;
  session.inbox.clear();
  timers_.cancel(flag_timer(session.game.id()));
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) timers_.cancel(absence_timer(session.game.id(), side));
  happen(session,
         GameSuspended{
             .game = session.game.id(), .used_us = session.turn.used_us(), .why = std::move(why), .at = now_.wall});
}

void Games::on(const Stop&) {
  on(Drain{});
  context_.stopping = true;
  std::vector<GameId> running;
  for (const auto& [id, session] : games_) {
    if (!session.game.phase().is_suspended()) running.push_back(id);
  }
  for (const GameId id : running) {
    GameSession& session = *find(id);
    // Who had left before, while the game waited for the disk, has lost. What else waits is void: nobody knows of it.
    const auto left = std::ranges::find_if(session.inbox, [](const GameInput& input) {
      return std::holds_alternative<Disconnected>(input.what) || std::holds_alternative<GraceExpired>(input.what);
    });
    if (const auto* gone = left == session.inbox.end() ? nullptr : std::get_if<Disconnected>(&left->what)) {
      rule(session, session.game.abandoned_by(left->side, gone->why), left->conn);
    } else if (session.game.opened().resume == ResumeRule::abort) {
      finish(session, session.game.interrupted("the server stopped"));
    } else {
      suspend(session, "the server stopped");
      notice(session, "the server stops; the game goes on after its next start");
    }
  }
}

// Both are there: their clocks stand where they stood.
void Games::continue_game(GameSession& session) {
  forget_absences(session);
  if (session.event) parts_.tournaments.stir();
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    Session& player = *parts_.sessions.find(session.seats[side]);
    player.phase = Phase::game;
    begin_again(session, side, player);
  }
  const Seq seq = happen(session, GameContinued{.game = session.game.id(), .at = now_.wall});
  note(Note::Level::info, fmt::format("game {} goes on", session.game.opened().csa_id));
  wait_for_journal(session, seq);
}

// An operator lets a game go on that waits for a verdict: its players are seated when they come, and those who are here
// at once.
void Games::let_go_on(GameSession& session) {
  session.game.await_verdict(false);
  await_players(session);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    Session* player = parts_.sessions.find_name(seat_of(session, side).name);
    if (player == nullptr || (player->phase != Phase::connected && player->phase != Phase::game_waiting)) continue;
    if (seat_for(*player) != std::pair(session.game.id(), side)) continue;
    parts_.lobby.leave_queue(*player);
    sit_down(session, side, *player);
  }
}

void Games::revive(GameSession& session) {
  const GameOpened& opened = session.game.opened();
  note(Note::Level::info,
       fmt::format("game {} {}", opened.csa_id,
                   opened.resume == ResumeRule::position ? "waits for its players" : "waits for a verdict"));
  if (!session.game.phase().is_suspended()) suspend(session, "the server stopped");
  session.game.await_verdict(opened.resume == ResumeRule::adjudicate);
  if (!session.game.phase().awaits_verdict()) await_players(session);
}

void Games::await_players(GameSession& session) {
  const GameId id = session.game.id();
  std::int64_t window_us = rules_.resume_window_us;
  if (session.event) window_us = std::max(window_us, session.game.opened().grace_s * kSecond);
  timers_.set(window_timer(id), now_.mono + window_us);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    absent_.try_emplace(key_of(session, side), std::pair(id, side));
  }
}

}  // namespace fuhyo::core
