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

shogi::Color side_of(const Table& table, ConnId conn) {
  return table.seats[shogi::BLACK] == conn ? shogi::BLACK : shogi::WHITE;
}

}  // namespace

Table* Games::find(std::string_view csa_id) {
  const auto it = std::ranges::find_if(tables_, [&](const auto& r) { return r.second.game.opened().csa_id == csa_id; });
  return it == tables_.end() ? nullptr : &it->second;
}

Table* Games::find(GameId id) {
  const auto it = tables_.find(id);
  return it == tables_.end() ? nullptr : &it->second;
}

// ---- before the first move ----

void Games::agree(Session& s, const csa::Agree& agree) {
  if (s.phase != Phase::agree_waiting) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "AGREE", "agree_waiting"));
  }
  Table& table = *find(s.game);
  if (!agree.game_id.empty() && agree.game_id != table.game.opened().csa_id) {
    return send(s.conn, csa::error("AGREE is for another game: " + agree.game_id));
  }
  if (context_.stopping) return;  // no game begins or goes on any more
  s.phase = Phase::start_waiting;
  table.agreed[side_of(table, s.conn)] = true;
  if (table.phase.has_started()) return returned(table, side_of(table, s.conn));
  if (table.agreed[shogi::BLACK] && table.agreed[shogi::WHITE]) start(table);
}

void Games::start(Table& table) {
  timers_.cancel(agree_timer(table.game.id()));
  const Seq seq = happen(table, GameStarted{table.game.id(), now_.wall});
  if (table.event) parts_.tournaments.stir();
  for (const ConnId conn : table.seats) {
    parts_.sessions.find(conn)->phase = Phase::game;
    send(conn, csa::start(table.game.opened().csa_id));
  }
  wait_for_journal(table, seq);  // the first turn begins when START may leave
}

void Games::reject(Session& s, const csa::Reject& reject) {
  if (s.phase != Phase::agree_waiting) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "REJECT", "agree_waiting"));
  }
  Table& table = *find(s.game);
  if (!reject.game_id.empty() && reject.game_id != table.game.opened().csa_id) {
    return send(s.conn, csa::error("REJECT is for another game: " + reject.game_id));
  }
  if (table.phase.has_started() && context_.stopping) return;
  if (table.phase.has_started()) {  // it was to go on
    return rule(table, table.game.abandoned_by(side_of(table, s.conn), "refused to go on"), s.conn);
  }
  close_unstarted(table, s.name);
}

void Games::close_unstarted(Table& table, std::string_view by) {
  const GameId id = table.game.id();
  timers_.cancel(agree_timer(id));
  append(GameRejected{.game = id, .by = std::string(by), .at = now_.wall, .local_time = local_time()});
  note(Note::Level::info, fmt::format("game {} rejected by {}", table.game.opened().csa_id, by));
  parts_.rounds.unseated(table, by, table.agreed);
  parts_.tournaments.leave_event(table);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    const Seat& seat = side == shogi::BLACK ? table.game.opened().black : table.game.opened().white;
    if (by == seat.name || (by == kServerTimedOut && !table.agreed[side])) blame(seat);
  }
  std::vector<ConnId> again, staying;
  for (const ConnId conn : table.seats) {
    Session* s = parts_.sessions.find(conn);
    if (s == nullptr) continue;
    send(conn, csa::reject(table.game.opened().csa_id, by));
    const bool silent = by == kServerTimedOut && !table.agreed[side_of(table, conn)];
    if (s->name != by && parts_.rounds.is_owed(*s)) {  // who refuses or leaves does not wait again at once
      stand_up(*s);
      again.push_back(conn);
    } else if (s->name != by && !silent && keeps(table, *s)) {
      release(*s, "game rejected", true);
      staying.push_back(conn);
    } else {
      release(*s, "game rejected");
    }
  }
  tables_.erase(id);
  for (const ConnId conn : again) {
    if (Session* s = parts_.sessions.find(conn))
      parts_.lobby.wait_for(*s, csa::GameName(s->wanted), csa::Turn::any, false);
  }
  parts_.rooms.wait_again(staying);
}

// Whether he waits again after the game: in CSA mode, where that is otherwise the end of the connection, and whoever
// plays in an event.
bool Games::keeps(const Table& table, const Session& s) const {
  return table.game.opened().stays && (!s.x1 || table.event) && !s.parting && !context_.draining;
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
void Games::release(Session& s, std::string_view why, bool stays) {
  stand_up(s);
  if ((s.x1 || stays) && !s.parting) return;
  s.phase = Phase::finished;
  close(s.conn, why);
}

void Games::stand_up(Session& s) {
  s.game = GameId{};
  s.deferred.clear();
  s.queued = 0;
  parts_.sessions.unthrottle(s);
  s.phase = Phase::connected;
  if (s.home == kMainRoom && parts_.rooms.known().find(s.room) == nullptr)
    s.room = kMainRoom;  // it was closed meanwhile
}

void Games::leave(Table& table, const Session& s, std::string_view why) {
  const shogi::Color side = side_of(table, s.conn);
  if (s.given_over || may_come_back(table)) return step_away(table, side, !s.given_over);
  table.inbox.push_back({.conn = s.conn, .side = side, .said = Gone{std::string(why)}, .arrived = now_.mono});
  work_off(table.game.id());
}

// ---- lines ----

void Games::line_in_game(Session& s, Waiting line) {
  if (s.queued >= limits_.queued_lines) {
    note(Note::Level::warning, fmt::format("{} sent more than {} lines ahead", s.name, limits_.queued_lines));
    count_refusal(Refusal::flooding);
    return parts_.sessions.drop(s, "too many lines ahead of their turn");
  }
  Table& table = *find(s.game);
  if (table.phase.is_suspended()) return;  // the server is about to end
  line.side = side_of(table, s.conn);
  ++s.queued;
  table.inbox.push_back(std::move(line));
  work_off(table.game.id());
}

// Takes what waits until the journal must be asked or nothing is left: first what the side to move sent ahead, then
// arrivals in order.
void Games::work_off(GameId id) {
  for (Table* table = find(id); table != nullptr && !table->pending; table = find(id)) {
    Session* mover = parts_.sessions.find(table->seats[table->game.to_move()]);
    const bool has_sent_ahead = mover != nullptr && !mover->deferred.empty() && table->phase.runs();
    std::deque<Waiting>& from = has_sent_ahead ? mover->deferred : table->inbox;
    if (from.empty()) return;
    const Waiting waiting = std::move(from.front());
    from.pop_front();
    take(*table, waiting);
  }
}

void Games::take(Table& table, const Waiting& waiting) {
  const auto heard = [&] {
    if (Session* sender = parts_.sessions.find(waiting.conn)) --sender->queued;
  };
  std::visit(
      Overload{[&](const GivenUp& up) { give_up_on(table, waiting.side, up.why); },
               [&](const Gone& gone) { rule(table, table.game.abandoned_by(waiting.side, gone.why), waiting.conn); },
               [&](const csa::Logout&) {
                 heard();
                 play_logout(table, waiting);
               },
               [&](const auto& line) {
                 heard();
                 play_line(table, waiting, line);
               }},
      waiting.said);
}

template <class Line>
void Games::play_line(Table& table, const Waiting& waiting, const Line& line) {
  if (table.phase.is_paused()) return play_line_in_pause(table, waiting, line.line);
  if constexpr (std::is_same_v<Line, csa::MoveLine>) {
    if (table.game.repeats_last_move(line.move)) {
      return note(Note::Level::warning,
                  fmt::format("{}: the same move twice: {}", table.game.opened().csa_id, line.move));
    }
  }
  if (waiting.side != table.game.to_move()) return defer(table, waiting, line.line);
  Ruling ruling = table.game.judge(line, table.turn.elapsed_us(waiting.arrived));
  const Instant arrived = std::max(waiting.arrived, table.turn.since().value_or(waiting.arrived));
  rule(table, std::move(ruling), waiting.conn, arrived);
}

// Either side may resign. Anything else waits for the end of the pause. To refuse it would not do: a client may have
// sent the line after it already.
void Games::play_line_in_pause(Table& table, const Waiting& waiting, const std::string& line) {
  Session* s = parts_.sessions.find(waiting.conn);
  if (s == nullptr) return;
  if (line.starts_with("%TORYO") && s->deferred.empty()) {
    return rule(table, table.game.resigned_by(waiting.side), waiting.conn);
  }
  defer(table, waiting, line);
}

void Games::play_logout(Table& table, const Waiting& line) {
  Session* s = parts_.sessions.find(line.conn);
  if (s == nullptr) return;  // it has gone since; its end waits behind this line
  send(line.conn, "LOGOUT:completed\n");
  s->parting = true;
  rule(table, table.game.abandoned_by(line.side, "logged out"), line.conn);
}

// Out of turn: kept until the sender's turn comes, as shogi-server does.
void Games::defer(Table& table, const Waiting& waiting, const std::string& line) {
  Session* s = parts_.sessions.find(waiting.conn);
  if (s == nullptr) return;
  happen(table, RecordNote{table.game.id(), std::string(kDeferred) + line});
  ++s->queued;
  s->deferred.push_back(waiting);
}

Seq Games::happen(Table& table, Fact fact) {
  table.apply(fact);
  parts_.monitors.show_comment(table, fact);
  return append(std::move(fact));
}

void Games::rule(Table& table, Ruling ruling, ConnId sender, std::optional<Instant> arrived) {
  if (ruling.ignored()) return;
  table.read_pass = 0;
  timers_.cancel(flag_timer(table.game.id()));
  if (!ruling.echo.empty()) {
    for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
      echo(table, side, ruling, table.seats[side] == sender ? std::nullopt : arrived);
    }
    parts_.monitors.show_line(table, ruling.echo);
  }
  if (ruling.move) {
    ruling.move->at = now_.wall;
    Fact made = std::move(*ruling.move);
    table.record.add(made);
    append(std::move(made));
    if (Session* s = parts_.sessions.find(sender)) s->bucket.give_back();  // a legal move in turn costs nothing
  }
  if (ruling.end) return finish(table, std::move(*ruling.end));
  table.turn.begin();
  table.told_s = {};
  wait_for_journal(table, context_.newest);
}

// Who has come back during this turn was told a Total_Time without what he had used of it: that is not told twice.
void Games::echo(const Table& table, shogi::Color side, const Ruling& ruling, std::optional<Instant> arrived) {
  const Session* s = parts_.sessions.find(table.seats[side]);
  if (s == nullptr || s->phase != Phase::game) return;
  const bool is_retold = ruling.move && table.told_s[side] != 0;
  send(s->conn, is_retold ? csa::move(ruling.move->csa, std::max(0, ruling.move->spent_s - table.told_s[side]))
                          : ruling.echo + "\n");
  if (ruling.move && arrived) {
    context_.stamp({.game = table.game.id(), .arrived = *arrived});
  }
}

void Games::finish(Table& table, GameEnded ended) {
  ended.at = now_.wall;
  ended.local_time = local_time();
  append(ended);
  note(Note::Level::info,
       fmt::format("game {} ended: {}, {}", table.game.opened().csa_id, summary_type(ended.kind), ended.reason));
  const GameId id = table.game.id();
  std::vector<ConnId> staying;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    Session* s = parts_.sessions.find(table.seats[side]);
    if (s == nullptr) continue;
    if (keeps(table, *s)) staying.push_back(s->conn);
    tell_end(*s, table, ended, side);
  }
  if (ended.kind == EndKind::abnormal) {
    const Seat& left = ended.outcome == Outcome::black_wins ? table.game.opened().white : table.game.opened().black;
    if (!left.builtin) conduct_.abandoned(left.id.empty() ? left.name : left.id, now_.mono);
  }
  forget_absences(table);
  parts_.monitors.show_end(table, ended);
  parts_.rounds.record_round(table, ended);
  parts_.tournaments.record_event(table, ended);
  timers_.cancel(flag_timer(id));
  parts_.restarts.remember(table);
  const std::deque<Waiting> unheard = std::move(table.inbox);
  tables_.erase(id);
  for (const Waiting& waiting : unheard) {  // moves are void now, but a LOGOUT still counts
    const bool logout = std::holds_alternative<csa::Logout>(waiting.said);
    Session* s = logout ? parts_.sessions.find(waiting.conn) : nullptr;
    if (s == nullptr || s->phase == Phase::finished) continue;
    parts_.commands.log_out(*s, waiting.arrived);
  }
  parts_.rooms.wait_again(staying);
}

void Games::tell_end(Session& s, const Table& table, const GameEnded& ended, shogi::Color side) {
  // Who was about to come back: had he agreed, the end is the end of a game that went on; else there is none.
  if (s.phase == Phase::agree_waiting) {
    send(s.conn, csa::reject(table.game.opened().csa_id, kGameIsOver));
    return release(s, "game over", keeps(table, s));
  }
  if (s.phase == Phase::start_waiting) send(s.conn, csa::start(table.game.opened().csa_id));
  send(s.conn, end_lines(ended, side));
  release(s, "game over", keeps(table, s));
}

// ---- the journal ----

void Games::wait_for_journal(Table& table, Seq seq) {
  table.pending = seq;
  pending_.emplace_back(seq, table.game.id());
}

void Games::durable() {
  while (!pending_.empty() && pending_.front().first <= context_.durable) {
    const GameId id = pending_.front().second;
    pending_.pop_front();
    if (Table* table = find(id); table != nullptr && table->pending && *table->pending <= context_.durable)
      resume(*table);
  }
}

// The move is safe: the next turn begins now. (Or the end of a pause is: the turn goes on.)
void Games::resume(Table& table) {
  table.pending.reset();
  if (!table.phase.runs()) return work_off(table.game.id());
  table.turn.run(now_.mono);
  const std::int64_t flag_us = table.game.clock().flag_us(table.game.to_move());
  if (flag_us != Clock::kNever) {
    timers_.set(flag_timer(table.game.id()), now_.mono + (flag_us - table.turn.used_us()));
  }
  if (Session* mover = parts_.sessions.find(table.seats[table.game.to_move()])) parts_.sessions.unthrottle(*mover);
  work_off(table.game.id());
}

// ---- time ----

void Games::agree_due(GameId id) {
  if (Table* table = find(id)) close_unstarted(*table, kServerTimedOut);
}

// The flag is down unless the move is already here: one read pass begun after the deadline tells.
void Games::look_at_flag(GameId id) {
  Table* table = find(id);
  if (table == nullptr || table->pending || !table->phase.runs()) return;
  if (parts_.sessions.find(table->seats[table->game.to_move()]) ==
      nullptr) {  // he is away: nothing of his can be on its way
    return rule(*table, table->game.judge_silence(table->turn.elapsed_us(now_.mono)), ConnId{});
  }
  table->read_pass = ++passes_;
  put(ReadPass{table->seats[table->game.to_move()], table->read_pass});
}

void Games::on(const ReadPassed& e) {
  const Session* s = parts_.sessions.find(e.conn);
  Table* table = s == nullptr ? nullptr : find(s->game);
  if (table == nullptr || table->read_pass != e.token || table->pending) return;
  table->read_pass = 0;
  rule(*table, table->game.judge_silence(table->turn.elapsed_us(now_.mono)), e.conn);
}

// ---- the end of the server ----

void Games::on(const Drain&) {
  if (context_.draining) return;
  context_.draining = true;
  note(Note::Level::info, fmt::format("shutting down; games that run: {}", tables_.size()));
  std::vector<GameId> unstarted;
  for (const auto& [id, table] : tables_) {
    if (!table.phase.has_started()) unstarted.push_back(id);
  }
  for (const GameId id : unstarted) close_unstarted(*find(id), kServerShutDown);
}

void Games::on(const Stalled& e) {
  for (auto& [id, table] : tables_) {
    if (!table.turn.runs()) continue;
    table.turn.stop(e.from);
    table.turn.run(e.to);
  }
}

}  // namespace fuhyo::core
