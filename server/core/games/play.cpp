// What happens in games: agreeing, lines in and out of turn, the journal's answer, flags, ends.
#include <algorithm>
#include <fmt/format.h>
#include <type_traits>
#include <utility>
#include <variant>

#include "server/core/admin/restarts.h"
#include "server/core/commands/commands.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/monitors/monitors.h"
#include "server/core/overload.h"
#include "server/core/record_text.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/rounds/rounds.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kServerTimedOut = "the Server (timed out)";
constexpr std::string_view kServerShutDown = "the Server (shutting down)";
constexpr std::string_view kGameIsOver = "the Server (game over)";

TimerKey agree_timer(GameId id) { return {TimerKey::Kind::agree, value(id)}; }
TimerKey flag_timer(GameId id) { return {TimerKey::Kind::flag, value(id)}; }

// The lines that announce an end, as one side sees it.
std::string end_lines(const GameEnded& ended, shogi::Color side) {
  const bool won = ended.outcome == (side == shogi::BLACK ? Outcome::black_wins : Outcome::white_wins);
  const std::string_view result = won ? "#WIN" : "#LOSE";
  switch (ended.kind) {
    case EndKind::toryo:
    case EndKind::abnormal:
      return csa::game_end("%TORYO", "#RESIGN", result);
    case EndKind::time_up:
      return csa::game_end("", "#TIME_UP", result);
    case EndKind::kachi:
      // Without a line: the king has reached its goal by a move (TRY).
      return csa::game_end(ended.line, "#JISHOGI", ended.outcome == Outcome::draw ? "#DRAW" : result);
    case EndKind::illegal_kachi:
      return csa::game_end("%KACHI", "#ILLEGAL_MOVE", result);
    case EndKind::illegal_move:
    case EndKind::oute_kaihimore:
    case EndKind::uchifuzume:
      return csa::game_end("", "#ILLEGAL_MOVE", result);
    case EndKind::sennichite:
      return csa::game_end("", "#SENNICHITE", "#DRAW");
    case EndKind::oute_sennichite:
      return csa::game_end("", "#OUTE_SENNICHITE", result);
    case EndKind::max_moves:
      return csa::game_end("", "#MAX_MOVES", "#CENSORED");
    case EndKind::chudan:
      return "#CHUDAN\n";
    case EndKind::adjudicated:  // the words of other ends: clients know no more of them
      if (ended.outcome == Outcome::none) return "#CHUDAN\n";
      if (ended.outcome == Outcome::draw) return csa::game_end("", "#SENNICHITE", "#DRAW");
      return csa::game_end("%TORYO", "#RESIGN", result);
  }
  return "";
}

shogi::Color side_of(const GameSession& session, ConnId conn) {
  return session.seats[shogi::BLACK] == conn ? shogi::BLACK : shogi::WHITE;
}

}  // namespace

GameSession* Games::find(std::string_view csa_id) {
  const auto it = std::ranges::find_if(games_, [&](const auto& r) { return r.second.game.opened().csa_id == csa_id; });
  return it == games_.end() ? nullptr : &it->second;
}

GameSession* Games::find(GameId id) {
  const auto it = games_.find(id);
  return it == games_.end() ? nullptr : &it->second;
}

// ---- before the first move ----

void Games::agree(Session& player, const csa::Agree& agree) {
  if (player.phase != Phase::agree_waiting) {
    return send(player.conn, csa::wrong_state(to_string(player.phase), "AGREE", "agree_waiting"));
  }
  GameSession& session = *find(player.game);
  if (!agree.game_id.empty() && agree.game_id != session.game.opened().csa_id) {
    return send(player.conn, csa::error("AGREE is for another game: " + agree.game_id));
  }
  if (context_.stopping) return;  // no game begins or goes on any more
  player.phase = Phase::start_waiting;
  session.agreed[side_of(session, player.conn)] = true;
  if (session.game.phase().has_started()) return returned(session, side_of(session, player.conn));
  if (session.agreed[shogi::BLACK] && session.agreed[shogi::WHITE]) start(session);
}

void Games::start(GameSession& session) {
  timers_.cancel(agree_timer(session.game.id()));
  const Seq seq = happen(session, GameStarted{session.game.id(), now_.wall});
  if (session.event) parts_.tournaments.stir();
  for (const ConnId conn : session.seats) {
    parts_.sessions.find(conn)->phase = Phase::game;
    send(conn, csa::start(session.game.opened().csa_id));
  }
  wait_for_journal(session, seq);  // the first turn begins when START may leave
}

void Games::reject(Session& player, const csa::Reject& reject) {
  if (player.phase != Phase::agree_waiting) {
    return send(player.conn, csa::wrong_state(to_string(player.phase), "REJECT", "agree_waiting"));
  }
  GameSession& session = *find(player.game);
  if (!reject.game_id.empty() && reject.game_id != session.game.opened().csa_id) {
    return send(player.conn, csa::error("REJECT is for another game: " + reject.game_id));
  }
  if (session.game.phase().has_started() && context_.stopping) return;
  if (session.game.phase().has_started()) {  // it was to go on
    return rule(session, session.game.abandoned_by(side_of(session, player.conn), "refused to go on"), player.conn);
  }
  close_unstarted(session, player.name);
}

void Games::close_unstarted(GameSession& session, std::string_view by) {
  const GameId id = session.game.id();
  timers_.cancel(agree_timer(id));
  append(GameRejected{.game = id, .by = std::string(by), .at = now_.wall, .local_time = local_time()});
  note(Note::Level::info, fmt::format("game {} rejected by {}", session.game.opened().csa_id, by));
  parts_.rounds.unseated(session, by, session.agreed);
  parts_.tournaments.leave_event(session);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    const Seat& seat = side == shogi::BLACK ? session.game.opened().black : session.game.opened().white;
    if (by == seat.name || (by == kServerTimedOut && !session.agreed[side])) blame(seat);
  }
  std::vector<ConnId> again, staying;
  for (const ConnId conn : session.seats) {
    Session* player = parts_.sessions.find(conn);
    if (player == nullptr) continue;
    send(conn, csa::reject(session.game.opened().csa_id, by));
    const bool silent = by == kServerTimedOut && !session.agreed[side_of(session, conn)];
    if (player->name != by && parts_.rounds.is_owed(*player)) {  // who refuses or leaves does not wait again at once
      stand_up(*player);
      again.push_back(conn);
    } else if (player->name != by && !silent && keeps(session, *player)) {
      release(*player, "game rejected", true);
      staying.push_back(conn);
    } else {
      release(*player, "game rejected");
    }
  }
  games_.erase(id);
  for (const ConnId conn : again) {
    if (Session* player = parts_.sessions.find(conn))
      parts_.lobby.wait_for(*player, csa::GameName(player->wanted), csa::Turn::any, false);
  }
  parts_.rooms.wait_again(staying);
}

// Whether he waits again after the game: in CSA mode, where that is otherwise the end of the connection, and whoever
// plays in an event.
bool Games::keeps(const GameSession& session, const Session& player) const {
  return session.game.opened().stays && (!player.x1 || session.event) && !player.parting && !context_.draining;
}

void Games::blame(const Seat& seat) {
  if (seat.builtin) return;
  const std::string& id = seat.id.empty() ? seat.name : seat.id;
  conduct_.aborted(id, now_.mono);
  const std::int64_t wait_us = conduct_.cools_us(id, now_.mono);
  if (wait_us == 0) return;
  note(Note::Level::info,
       fmt::format("{} has aborted several games: it is paired with nobody for {} s", id, wait_us / kSecond));
}

// x1 players stay; CSA mode is one game a connection, but where its room keeps them.
void Games::release(Session& player, std::string_view why, bool stays) {
  stand_up(player);
  if ((player.x1 || stays) && !player.parting) return;
  player.phase = Phase::finished;
  close(player.conn, why);
}

void Games::stand_up(Session& player) {
  player.game = GameId{};
  player.deferred.clear();
  player.queued = 0;
  player.phase = Phase::connected;
  if (player.home == kMainRoom && parts_.rooms.known().find(player.room) == nullptr)
    player.room = kMainRoom;  // it was closed meanwhile
}

void Games::leave(GameSession& session, const Session& player, std::string_view why) {
  const shogi::Color side = side_of(session, player.conn);
  if (player.given_over || may_come_back(session)) return step_away(session, side, !player.given_over);
  session.inbox.push_back(
      {.conn = player.conn, .side = side, .what = Disconnected{std::string(why)}, .arrived = now_.mono});
  work_off(session.game.id());
}

// ---- lines ----

void Games::line_in_game(Session& player, GameInput line) {
  if (player.queued >= limits_.queued_lines) {
    note(Note::Level::warning, fmt::format("{} sent more than {} lines ahead", player.name, limits_.queued_lines));
    count_refusal(Refusal::flooding);
    return parts_.sessions.drop(player, "too many lines ahead of their turn");
  }
  GameSession& session = *find(player.game);
  if (session.game.phase().is_suspended()) return;  // the server is about to end
  line.side = side_of(session, player.conn);
  ++player.queued;
  session.inbox.push_back(std::move(line));
  work_off(session.game.id());
}

// Takes what waits until the journal must be asked or nothing is left: first what the side to move sent ahead, then
// arrivals in order.
void Games::work_off(GameId id) {
  for (GameSession* session = find(id); session != nullptr && !session->pending; session = find(id)) {
    Session* mover = parts_.sessions.find(session->seats[session->game.to_move()]);
    const bool has_sent_ahead = mover != nullptr && !mover->deferred.empty() && session->game.phase().runs();
    std::deque<GameInput>& from = has_sent_ahead ? mover->deferred : session->inbox;
    if (from.empty()) return;
    const GameInput input = std::move(from.front());
    from.pop_front();
    take(*session, input);
  }
}

void Games::take(GameSession& session, const GameInput& input) {
  const auto heard = [&] {
    if (Session* sender = parts_.sessions.find(input.conn)) --sender->queued;
  };
  std::visit(Overload{[&](const GraceExpired& expired) { give_up_on(session, input.side, expired.why); },
                      [&](const Disconnected& gone) {
                        rule(session, session.game.abandoned_by(input.side, gone.why), input.conn);
                      },
                      [&](const csa::Logout&) {
                        heard();
                        play_logout(session, input);
                      },
                      [&](const auto& line) {
                        heard();
                        play_line(session, input, line);
                      }},
             input.what);
}

template <class PlayerLine>
void Games::play_line(GameSession& session, const GameInput& input, const PlayerLine& line) {
  if (session.game.phase().is_paused()) return play_line_in_pause(session, input, line.line);
  if constexpr (std::is_same_v<PlayerLine, csa::MoveLine>) {
    if (session.game.repeats_last_move(line.move)) {
      return note(Note::Level::warning,
                  fmt::format("{}: the same move twice: {}", session.game.opened().csa_id, line.move));
    }
  }
  if (input.side != session.game.to_move()) return defer(session, input, line.line);
  Ruling ruling = session.game.judge(line, session.turn.elapsed_us(input.arrived));
  const Instant arrived = std::max(input.arrived, session.turn.since().value_or(input.arrived));
  rule(session, std::move(ruling), input.conn, arrived);
}

// Either side may resign. Anything else waits for the end of the pause. To refuse it would not do: a client may have
// sent the line after it already.
void Games::play_line_in_pause(GameSession& session, const GameInput& input, const std::string& line) {
  Session* player = parts_.sessions.find(input.conn);
  if (player == nullptr) return;
  if (line.starts_with("%TORYO") && player->deferred.empty()) {
    return rule(session, session.game.resigned_by(input.side), input.conn);
  }
  defer(session, input, line);
}

void Games::play_logout(GameSession& session, const GameInput& line) {
  Session* player = parts_.sessions.find(line.conn);
  if (player == nullptr) return;  // it has gone since; its end waits behind this line
  send(line.conn, "LOGOUT:completed\n");
  player->parting = true;
  rule(session, session.game.abandoned_by(line.side, "logged out"), line.conn);
}

// Out of turn: kept until the sender's turn comes, as shogi-server does.
void Games::defer(GameSession& session, const GameInput& input, const std::string& line) {
  Session* player = parts_.sessions.find(input.conn);
  if (player == nullptr) return;
  happen(session, RecordNote{session.game.id(), std::string(kDeferred) + line});
  ++player->queued;
  player->deferred.push_back(input);
}

Seq Games::happen(GameSession& session, Fact fact) {
  session.game.apply(fact);
  parts_.monitors.show_comment(session, fact);
  return append(std::move(fact));
}

void Games::rule(GameSession& session, Ruling ruling, ConnId sender, std::optional<Instant> arrived) {
  if (ruling.ignored()) return;
  session.read_pass = 0;
  timers_.cancel(flag_timer(session.game.id()));
  if (!ruling.echo.empty()) {
    for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
      echo(session, side, ruling, session.seats[side] == sender ? std::nullopt : arrived);
    }
    parts_.monitors.show_line(session, ruling.echo);
  }
  if (ruling.move) {
    parts_.monitors.show_comment(session, *ruling.move);
    ruling.move->at = now_.wall;
    append(std::move(*ruling.move));
    if (Session* player = parts_.sessions.find(sender))
      player->bucket.give_back();  // a legal move in turn costs nothing
  }
  if (ruling.end) return finish(session, std::move(*ruling.end));
  session.turn.begin();
  session.told_s = {};
  wait_for_journal(session, context_.newest);
}

// Who has come back during this turn was told a Total_Time without what he had used of it: that is not told twice.
void Games::echo(const GameSession& session, shogi::Color side, const Ruling& ruling, std::optional<Instant> arrived) {
  const Session* player = parts_.sessions.find(session.seats[side]);
  if (player == nullptr || player->phase != Phase::game) return;
  const bool is_retold = ruling.move && session.told_s[side] != 0;
  send(player->conn, is_retold ? csa::move(ruling.move->csa, std::max(0, ruling.move->spent_s - session.told_s[side]))
                               : ruling.echo + "\n");
  if (ruling.move && arrived) {
    context_.stamp({.game = session.game.id(), .arrived = *arrived});
  }
}

void Games::finish(GameSession& session, GameEnded ended) {
  ended.at = now_.wall;
  ended.local_time = local_time();
  append(ended);
  note(Note::Level::info,
       fmt::format("game {} ended: {}, {}", session.game.opened().csa_id, summary_type(ended.kind), ended.reason));
  const GameId id = session.game.id();
  std::vector<ConnId> staying;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    Session* player = parts_.sessions.find(session.seats[side]);
    if (player == nullptr) continue;
    if (keeps(session, *player)) staying.push_back(player->conn);
    tell_end(*player, session, ended, side);
  }
  if (ended.kind == EndKind::abnormal) {
    const Seat& left = ended.outcome == Outcome::black_wins ? session.game.opened().white : session.game.opened().black;
    if (!left.builtin) conduct_.abandoned(left.id.empty() ? left.name : left.id, now_.mono);
  }
  forget_absences(session);
  parts_.monitors.show_end(session, ended);
  parts_.rounds.record_round(session, ended);
  parts_.tournaments.record_event(session, ended);
  timers_.cancel(flag_timer(id));
  parts_.restarts.remember(session);
  const std::deque<GameInput> unheard = std::move(session.inbox);
  games_.erase(id);
  for (const GameInput& input : unheard) {  // moves are void now, but a LOGOUT still counts
    const bool logout = std::holds_alternative<csa::Logout>(input.what);
    Session* player = logout ? parts_.sessions.find(input.conn) : nullptr;
    if (player == nullptr || player->phase == Phase::finished) continue;
    parts_.commands.log_out(*player, input.arrived);
  }
  parts_.rooms.wait_again(staying);
}

void Games::tell_end(Session& player, const GameSession& session, const GameEnded& ended, shogi::Color side) {
  // Who was about to come back: had he agreed, the end is the end of a game that went on; else there is none.
  if (player.phase == Phase::agree_waiting) {
    send(player.conn, csa::reject(session.game.opened().csa_id, kGameIsOver));
    return release(player, "game over", keeps(session, player));
  }
  if (player.phase == Phase::start_waiting) send(player.conn, csa::start(session.game.opened().csa_id));
  send(player.conn, end_lines(ended, side));
  release(player, "game over", keeps(session, player));
}

// ---- the journal ----

void Games::wait_for_journal(GameSession& session, Seq seq) {
  session.pending = seq;
  pending_.emplace_back(seq, session.game.id());
}

void Games::durable() {
  while (!pending_.empty() && pending_.front().first <= context_.durable) {
    const GameId id = pending_.front().second;
    pending_.pop_front();
    if (GameSession* session = find(id);
        session != nullptr && session->pending && *session->pending <= context_.durable)
      resume(*session);
  }
}

// The move is safe: the next turn begins now. (Or the end of a pause is: the turn goes on.)
void Games::resume(GameSession& session) {
  session.pending.reset();
  if (!session.game.phase().runs()) return work_off(session.game.id());
  session.turn.run(now_.mono);
  const std::int64_t flag_us = session.game.clock().flag_us(session.game.to_move());
  if (flag_us != Clock::kNever) {
    timers_.set(flag_timer(session.game.id()), now_.mono + (flag_us - session.turn.used_us()));
  }
  if (Session* mover = parts_.sessions.find(session.seats[session.game.to_move()])) parts_.sessions.turn_begins(*mover);
  work_off(session.game.id());
}

// ---- time ----

void Games::agree_due(GameId id) {
  if (GameSession* session = find(id)) close_unstarted(*session, kServerTimedOut);
}

// The flag is down unless the move is already here: one read pass begun after the deadline tells.
void Games::look_at_flag(GameId id) {
  GameSession* session = find(id);
  if (session == nullptr || session->pending || !session->game.phase().runs()) return;
  if (parts_.sessions.find(session->seats[session->game.to_move()]) ==
      nullptr) {  // he is away: nothing of his can be on its way
    return rule(*session, session->game.judge_silence(session->turn.elapsed_us(now_.mono)), ConnId{});
  }
  session->read_pass = ++passes_;
  put(ReadPass{session->seats[session->game.to_move()], session->read_pass});
}

void Games::on(const ReadPassed& e) {
  const Session* player = parts_.sessions.find(e.conn);
  GameSession* session = player == nullptr ? nullptr : find(player->game);
  if (session == nullptr || session->read_pass != e.token || session->pending) return;
  session->read_pass = 0;
  rule(*session, session->game.judge_silence(session->turn.elapsed_us(now_.mono)), e.conn);
}

// ---- the end of the server ----

void Games::on(const Drain&) {
  if (context_.draining) return;
  context_.draining = true;
  note(Note::Level::info, fmt::format("shutting down; games that run: {}", games_.size()));
  std::vector<GameId> unstarted;
  for (const auto& [id, session] : games_) {
    if (!session.game.phase().has_started()) unstarted.push_back(id);
  }
  for (const GameId id : unstarted) close_unstarted(*find(id), kServerShutDown);
}

void Games::on(const Stalled& e) {
  for (auto& [id, session] : games_) {
    if (!session.turn.runs()) continue;
    session.turn.stop(e.from);
    session.turn.run(e.to);
  }
}

}  // namespace fuhyo::core
