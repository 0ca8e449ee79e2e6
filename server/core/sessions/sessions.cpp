#include "server/core/sessions/sessions.h"

#include <fmt/format.h>
#include <utility>

#include "server/core/commands/commands.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/monitors/monitors.h"
#include "server/core/rounds/rounds.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

TimerKey login_timer(ConnId conn) { return {TimerKey::Kind::login, value(conn)}; }
TimerKey refusal_timer(ConnId conn) { return {TimerKey::Kind::refusal, value(conn)}; }
TimerKey throttle_timer(ConnId conn) { return {TimerKey::Kind::throttle, value(conn)}; }

// "192.0.2.7:50312" -> "192.0.2.7", "[::1]:50312" -> "::1"
std::string address_of(std::string_view peer) {
  if (peer.starts_with('[')) return std::string(peer.substr(1, peer.find(']') - 1));
  return std::string(peer.substr(0, peer.rfind(':')));
}

}  // namespace

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::before_login:
      return "before_login";
    case Phase::connected:
      return "connected";
    case Phase::game_waiting:
      return "game_waiting";
    case Phase::agree_waiting:
      return "agree_waiting";
    case Phase::start_waiting:
      return "start_waiting";
    case Phase::game:
      return "game";
    case Phase::finished:
      return "finished";
  }
  return "";
}

Session* Sessions::find(ConnId conn) {
  const auto it = sessions_.find(conn);
  return it == sessions_.end() ? nullptr : &it->second;
}

const Session* Sessions::find(ConnId conn) const {
  const auto it = sessions_.find(conn);
  return it == sessions_.end() ? nullptr : &it->second;
}

Session* Sessions::find_name(std::string_view name) {
  const auto it = names_.find(std::string(name));
  return it == names_.end() ? nullptr : find(it->second);
}

// Where strangers have all their places, one of them goes for the newcomer: one who has said nothing before one who
// has, one of the network that holds most before the others, the oldest first. No network gets more than others by
// that, but for addresses that have no shares.
void Sessions::make_room_for_stranger(const Session& newcomer) {
  if (unknown_ < limits_.unauthenticated) return;
  // The first one of a network may come for anybody, another one only if its network then has no more than that one's.
  const std::size_t own = is_spared(newcomer.address) ? 0 : unknown_per_network_.of(newcomer.network);
  const std::size_t few = own == 0 ? 0 : own + 1;
  Session* found = nullptr;
  std::pair<bool, std::size_t> best;
  for (const auto& [conn, spoken] : strangers_) {
    Session& s = *find(conn);
    const std::pair rank(!spoken, unknown_per_network_.of(s.network));
    if (rank.second <= few || is_spared(s.address) || (found != nullptr && rank <= best)) continue;
    found = &s;
    best = rank;
  }
  if (found == nullptr) return;
  count_refusal(Refusal::silent);
  drop(*found, "not logged in, and others wait");
}

// A name that cost nothing.
bool Sessions::is_throwaway(const Session& s) const {
  return s.kind != ConnectionKind::builtin && !s.account && s.role == Role::player && !is_spared(s.address);
}

// Whether there is a place for who has shown his name and secret, if need be that of the oldest who has no account and
// nothing to do. For those who are known, and for addresses that have no shares, he may be anybody; else he is of a
// network that holds no less.
bool Sessions::has_place(const Session& s, bool known) {
  if (s.kind == ConnectionKind::builtin) return true;
  const std::size_t places = limits_.sessions - std::min(limits_.sessions, limits_.unauthenticated);
  const std::size_t inside = sessions_.size() - unknown_;
  if (inside + (known ? 0 : limits_.reserved_sessions) < places) return true;
  const std::size_t own = known || is_spared(s.address) ? 0 : per_network_.of(s.network);
  if (!known && now_.mono < full_until_ && own >= full_for_) return false;
  for (const auto& [order, conn] : by_login_) {
    Session& one = *find(conn);
    const bool idle = one.phase == Phase::connected || one.phase == Phase::game_waiting;
    if (!idle || !is_throwaway(one) || per_network_.of(one.network) < own) continue;
    count_refusal(Refusal::crowded);
    drop(one, "idle, and the server is full");
    return true;
  }
  if (!known) {
    full_until_ = now_.mono + limits_.full_us;
    full_for_ = own;
  }
  return false;
}

bool Sessions::is_spared(std::string_view address) const { return rules_.exempt && rules_.exempt(address); }

bool Sessions::is_shut_out(const Session& s) const {
  if (s.kind == ConnectionKind::builtin || is_spared(s.address)) return false;
  return parts_.logins.penalties().shut_out_us(s.address, now_.mono) > 0;
}

// Whether its network has all that one may have.
bool Sessions::has_its_share(const Session& s) const {
  if (s.kind == ConnectionKind::builtin || is_spared(s.address)) return false;
  return per_network_.of(s.network) >= limits_.sessions_per_address ||
         unknown_per_network_.of(s.network) >= limits_.unauthenticated_per_address;
}

void Sessions::on(const Opened& e) {
  const std::string address = address_of(e.peer);
  Session s{.conn = e.conn,
            .kind = e.kind,
            .home = e.room,
            .room = e.room,
            .peer = e.peer,
            .address = address,
            .network = narrow_network(address),
            .secure = e.secure,
            .bucket = Bucket(limits_.commands_per_s, limits_.commands_burst, now_.mono)};
  const bool shut_out = is_shut_out(s);
  bool refused = shut_out || has_its_share(s);
  if (!refused && s.kind != ConnectionKind::builtin) {  // nobody goes for one who is refused anyway
    make_room_for_stranger(s);
    refused = sessions_.size() >= limits_.sessions || unknown_ >= limits_.unauthenticated;
  }
  if (refused) {
    count_refusal(shut_out ? Refusal::shut_out : Refusal::crowded);
    const std::string_view why = shut_out ? "too many wrong secrets" : "too many connections";
    if (context_.refusals.tell(now_.mono)) {
      note(Note::Level::warning, fmt::format("refused {}: {}{}", e.peer, why, context_.refusals.untold()));
    }
    close(e.conn, why);
    return;
  }
  if (s.kind != ConnectionKind::builtin) {  // built-in players take no place of a stranger
    strangers_.emplace(e.conn, false);
    ++unknown_;
  }
  per_network_.add(s.network);
  unknown_per_network_.add(s.network);
  timers_.set(login_timer(e.conn), now_.mono + limits_.login_us);
  sessions_.emplace(e.conn, std::move(s));
}

void Sessions::on(const ClientLine& e) {
  Session* s = find(e.conn);
  if (s == nullptr || s->phase == Phase::finished) return;
  if (const auto stranger = strangers_.find(e.conn); stranger != strangers_.end()) stranger->second = true;
  if (s->held.empty() && !s->login && owed_us(*s) <= 0) return carry_out(*s, e);
  hold(*s, e);
  answer_held(e.conn);
}

void Sessions::carry_out(Session& s, const ClientLine& e) {
  if (s.phase == Phase::finished) return;
  if (s.phase == Phase::before_login) return parts_.logins.log_in(s, e);
  const std::size_t before = context_.effects();
  parts_.commands.command(s, e);
  Session* still = find(e.conn);
  if (still == nullptr) return;
  const std::size_t told = context_.sent_to(e.conn, before);
  still->bucket.take(now_.mono, static_cast<double>(told / limits_.answer_bytes));
  cut_flood(*still);
}

void Sessions::hold(Session& s, const ClientLine& e) {
  s.held.push_back(e);
  s.held_bytes += e.text.size();
  if (!s.login) {
    cut_flood(s);
  } else if (s.held.size() > limits_.queued_lines) {
    count_refusal(Refusal::flooding);
    drop(s, "too many lines before the answer to LOGIN");
  }
}

void Sessions::answer_held(ConnId conn) {
  for (;;) {
    Session* s = find(conn);
    if (s == nullptr || s->login) return;
    const std::int64_t owed = s->held.empty() ? 0 : owed_us(*s);
    pause(*s, owed > 0 && s->held_bytes > limits_.held_bytes);
    if (s->held.empty()) return;
    if (owed > 0) return timers_.set(throttle_timer(conn), now_.mono + owed);
    carry_out_held(*s);
  }
}

void Sessions::carry_out_held(Session& s) {
  const ClientLine line = std::move(s.held.front());
  s.held.pop_front();
  s.held_bytes -= line.text.size();
  carry_out(s, line);
}

void Sessions::on(const BadInput& e) {
  Session* s = find(e.conn);
  if (s == nullptr) return;
  count_refusal(Refusal::bad_line);
  if (!s->name.empty()) {
    note(Note::Level::warning, fmt::format("{} ({}): {}", s->name, s->peer, e.why));
  } else if (context_.refusals.tell(now_.mono)) {
    note(Note::Level::warning, fmt::format("refused {}: {}{}", s->peer, e.why, context_.refusals.untold()));
  }
  drop(*s, e.why);
}

void Sessions::on(const Closed& e) {
  Session* s = find(e.conn);
  if (s == nullptr) return;
  while (!s->held.empty() && !s->login) {  // what it has said before that counts
    carry_out_held(*s);
    s = find(e.conn);
    if (s == nullptr) return;
  }
  if (!s->name.empty()) note(Note::Level::info, fmt::format("{} ({}) disconnected: {}", s->name, s->peer, e.why));
  s->parting = true;
  leave(*s, "disconnected: " + e.why);
  forget(e.conn);
}

void Sessions::leave(Session& s, std::string_view why) {
  parts_.lobby.leave_queue(s);
  GameSession* game = parts_.games.find(s.game);
  if (game == nullptr) return;
  if (!game->game.phase().has_started()) {
    const bool is_of_round = game->round != 0;
    const std::string game_name = s.wanted.text, id = s.id;
    parts_.games.close_unstarted(*game, s.name);
    // A player who comes back is owed a game of the round; one who says REJECT is not.
    if (is_of_round) parts_.rounds.owe(game_name, id);
    return;
  }
  parts_.games.leave(*game, s, why);
}

void Sessions::drop(Session& s, std::string_view why) {
  const ConnId conn = s.conn;
  if (s.phase == Phase::finished) return forget(conn);
  s.parting = true;
  leave(s, why);
  // A session whose game ended just now is closed already.
  if (const Session* still = find(conn); still != nullptr && still->phase != Phase::finished) close(conn, why);
  forget(conn);
}

void Sessions::forget(ConnId conn) {
  const auto it = sessions_.find(conn);
  if (it == sessions_.end()) return;
  Session& s = it->second;
  parts_.monitors.stop_monitoring(s);
  parts_.tournaments.go_from_event(s);
  timers_.cancel(login_timer(conn));
  timers_.cancel(throttle_timer(conn));
  timers_.cancel(refusal_timer(conn));
  strangers_.erase(conn);
  per_network_.take(s.network);
  if (s.name.empty()) {
    if (s.kind != ConnectionKind::builtin) --unknown_;
    unknown_per_network_.take(s.network);
  } else {
    const auto name = names_.find(s.name);
    if (name != names_.end() && name->second == conn) names_.erase(name);
    by_login_.erase(s.login_order);
  }
  sessions_.erase(it);
}

// How long it must wait until it may say more; never while its clock runs: it could not move.
std::int64_t Sessions::owed_us(Session& s) {
  if (s.kind == ConnectionKind::builtin) return 0;
  const std::int64_t owed = s.bucket.wait_us(now_.mono);
  if (owed <= 0) return 0;
  const GameSession* game = parts_.games.find(s.game);
  const bool runs =
      game != nullptr && game->game.phase().has_started() && !game->pending && !game->game.phase().is_paused();
  return runs && game->seats[game->game.to_move()] == s.conn ? 0 : owed;
}

void Sessions::cut_flood(Session& s) {
  if (s.kind == ConnectionKind::builtin) return;
  const double held_us = static_cast<double>(s.held.size()) / limits_.commands_per_s * 1e6;
  if (static_cast<double>(s.bucket.wait_us(now_.mono)) + held_us <= static_cast<double>(limits_.throttle_us)) return;
  note(Note::Level::warning, fmt::format("{} ({}) is flooding", s.name, s.peer));
  count_refusal(Refusal::flooding);
  drop(s, "too many lines");
}

void Sessions::pause(Session& s, bool paused) {
  if (s.paused != paused) put(Throttle{s.conn, s.paused = paused});
}

void Sessions::turn_begins(const Session& s) {
  if (!s.held.empty()) timers_.set(throttle_timer(s.conn), now_.mono);
}

void Sessions::admit(Session& s) {
  if (s.kind != ConnectionKind::builtin) --unknown_;
  unknown_per_network_.take(s.network);
  strangers_.erase(s.conn);
  timers_.cancel(login_timer(s.conn));
  if (s.login_order == 0) s.login_order = ++logins_;
  names_.emplace(s.name, s.conn);
  by_login_.emplace(s.login_order, s.conn);
}

void Sessions::login_due(ConnId conn) {
  Session* s = find(conn);
  if (s == nullptr) return;
  count_refusal(Refusal::no_login);
  drop(*s, "no login in time");
}

}  // namespace fuhyo::core
