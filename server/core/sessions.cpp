// Who is connected: opening, logging in, flooding, leaving.
#include <fmt/format.h>
#include <utility>

#include "server/core/state.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

TimerKey login_timer(ConnId conn) { return {TimerKey::Kind::login, value(conn)}; }
TimerKey throttle_timer(ConnId conn) { return {TimerKey::Kind::throttle, value(conn)}; }

// "192.0.2.7:50312" -> "192.0.2.7", "[::1]:50312" -> "::1"
std::string address_of(std::string_view peer) {
  if (peer.starts_with('[')) return std::string(peer.substr(1, peer.find(']') - 1));
  return std::string(peer.substr(0, peer.rfind(':')));
}

void count_down(std::unordered_map<std::string, std::size_t>& counts, const std::string& key) {
  const auto it = counts.find(key);
  if (it != counts.end() && --it->second == 0) counts.erase(it);
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

Session* Server::State::find(ConnId conn) {
  const auto it = sessions.find(conn);
  return it == sessions.end() ? nullptr : &it->second;
}

Session* Server::State::find_name(std::string_view name) {
  const auto it = names.find(std::string(name));
  return it == names.end() ? nullptr : find(it->second);
}

bool Server::State::crowded(const Session& s) const {
  if (s.door == Door::builtin) return false;
  if (sessions.size() >= limits.sessions || unknown >= limits.unauthenticated) return true;
  if (rules.exempt && rules.exempt(s.address)) return false;
  const auto all = per_address.find(s.address);
  const auto strangers = unknown_per_address.find(s.address);
  return (all != per_address.end() && all->second >= limits.sessions_per_address) ||
         (strangers != unknown_per_address.end() && strangers->second >= limits.unauthenticated_per_address);
}

void Server::State::on(const Opened& e) {
  Session s{.conn = e.conn,
            .door = e.door,
            .room = e.room,
            .peer = e.peer,
            .address = address_of(e.peer),
            .secure = e.secure,
            .bucket = Bucket(limits.commands_per_s, limits.commands_burst, now.mono)};
  if (crowded(s)) {
    note(Note::Level::warning, fmt::format("refused {}: too many connections", e.peer));
    close(e.conn, "too many connections");
    return;
  }
  ++unknown;
  ++per_address[s.address];
  ++unknown_per_address[s.address];
  timers.set(login_timer(e.conn), now.mono + limits.login_us);
  sessions.emplace(e.conn, std::move(s));
}

void Server::State::on(const Line& e) {
  Session* s = find(e.conn);
  if (s == nullptr || s->phase == Phase::finished) return;
  if (s->phase == Phase::before_login) {
    log_in(*s, e);
    return;
  }
  command(*s, e);
  if (Session* still = find(e.conn)) throttle(*still);
}

void Server::State::on(const BadInput& e) {
  Session* s = find(e.conn);
  if (s == nullptr) return;
  note(Note::Level::warning, fmt::format("{} ({}): {}", s->name.empty() ? "stranger" : s->name, s->peer, e.why));
  drop(*s, e.why);
}

void Server::State::on(const Closed& e) {
  Session* s = find(e.conn);
  if (s == nullptr) return;
  if (!s->name.empty()) note(Note::Level::info, fmt::format("{} ({}) disconnected: {}", s->name, s->peer, e.why));
  leave(*s, "disconnected: " + e.why);
  forget(e.conn);
}

void Server::State::refuse_login(Session& s, const Line& e, bool hint) {
  send_ungated(s.conn, csa::login_incorrect(hint, e.crlf ? "\r\n" : "\n"));
  if (++s.login_tries >= limits.login_tries) drop(s, "too many wrong logins");
}

void Server::State::log_in(Session& s, const Line& e) {
  auto login = csa::parse_login(e.text, rules.max_identifier);
  if (!login) return refuse_login(s, e, login.error().hint);
  if (draining) {
    send_ungated(s.conn, csa::login_incorrect(false, e.crlf ? "\r\n" : "\n"));
    return drop(s, "shutting down");
  }
  std::optional<csa::CsaPassword> csa_mode;
  if (!login->x1) csa_mode = csa::parse_csa_password(login->password.reveal(), rules.max_identifier);
  const auto trip = csa_mode ? csa_mode->trip : std::optional(login->password);
  const auto post = rules.operators.find(login->name);
  const bool of_staff = post != rules.operators.end();
  if (forbidden.contains(login->name) ||
      (of_staff && (!trip || !rules.operator_secret || !rules.operator_secret(login->name, trip->reveal())))) {
    note(Note::Level::warning, fmt::format("{} was refused as {}", s.peer, login->name));
    return refuse_login(s, e, false);
  }
  // Everybody sees ids: that of an operator says nothing of the secret, and no trip can give it (it has a line end).
  const csa::Secret id_trip(of_staff ? "operator\n" + login->name : trip ? trip->reveal() : std::string_view());
  const std::string id = trip ? login->name + "+" + rules.trip_hash(id_trip.reveal()) : login->name;
  if (!login->reconnect.empty() && !is_token_of(login->reconnect, login->name)) return refuse_login(s, e, false);
  const bool proven = trip.has_value() || !login->reconnect.empty();
  if (!yield_name(*login, id, proven, s, e.crlf ? "\r\n" : "\n")) return;
  if (of_staff) s.role = post->second;
  s.by_token = !login->reconnect.empty();
  admit(s, *login, id, trip.has_value());
  if (come_back(s)) return;
  if (csa_mode) want(s, {.game_name = csa_mode->game.text, .turn = csa_mode->turn});
}

// shogi-server: the same name with the same trip replaces a session that is not playing; else the newcomer is refused.
// Where a player may come back to his game he need not wait until his broken line is noticed either.
bool Server::State::yield_name(const csa::Login& login, const std::string& id, bool proven, Session& newcomer,
                               std::string_view eol) {
  const auto holder = names.find(login.name);
  if (holder == names.end()) return true;
  Session& old = *find(holder->second);
  const Room* room = find(old.game);
  const bool moves_over = proven && room != nullptr && may_come_back(*room);
  if (old.id == id && (old.phase != Phase::game || moves_over)) {
    newcomer.login_order = old.login_order;  // it keeps its place
    drop(old, "logged in again");
    return true;
  }
  send(newcomer.conn, csa::login_duplicate(login.name, login.x1, eol));
  note(Note::Level::warning, fmt::format("{} tried to log in as {}, who is connected", newcomer.peer, login.name));
  drop(newcomer, "name in use");
  return false;
}

void Server::State::admit(Session& s, const csa::Login& login, std::string id, bool has_trip) {
  --unknown;
  count_down(unknown_per_address, s.address);
  timers.cancel(login_timer(s.conn));
  s.phase = Phase::connected;
  s.x1 = login.x1;
  s.name = login.name;
  s.id = std::move(id);
  s.has_trip = has_trip;
  if (s.login_order == 0) s.login_order = ++logins;
  names.emplace(s.name, s.conn);
  by_login.emplace(s.login_order, s.conn);
  out->push_back(LineLimit{s.conn, limits.line});
  note(Note::Level::info, fmt::format("{} logged in from {} ({})", s.name, s.peer, s.x1 ? "x1" : "CSA"));
  send(s.conn, csa::login_ok(s.name, s.x1));
}

void Server::State::leave(Session& s, std::string_view why) {
  leave_queue(s);
  Room* room = find(s.game);
  if (room == nullptr) return;
  if (!room->started) {
    // Whoever comes back is owed a game of the round; whoever says REJECT is not.
    RoundGroup* group = room->round == 0 ? nullptr : group_of(s.wanted.text);
    const std::string id = s.id;
    close_unstarted(*room, s.name);
    if (group != nullptr) group->owed.insert(id);
    return;
  }
  const shogi::Color side = room->seats[shogi::BLACK] == s.conn ? shogi::BLACK : shogi::WHITE;
  if (may_come_back(*room)) return step_away(*room, side);
  room->inbox.push_back(
      {.conn = s.conn, .side = side, .line = {}, .arrived = now.mono, .gone = true, .why = std::string(why)});
  work_off(room->game.id());
}

void Server::State::drop(Session& s, std::string_view why) {
  const ConnId conn = s.conn;
  if (s.phase == Phase::finished) return forget(conn);
  leave(s, why);
  // A CSA-mode session whose game ended just now is closed already.
  if (const Session* still = find(conn); still != nullptr && still->phase != Phase::finished) close(conn, why);
  forget(conn);
}

void Server::State::forget(ConnId conn) {
  const auto it = sessions.find(conn);
  if (it == sessions.end()) return;
  Session& s = it->second;
  stop_monitoring(s);
  timers.cancel(login_timer(conn));
  timers.cancel(throttle_timer(conn));
  count_down(per_address, s.address);
  if (s.name.empty()) {
    --unknown;
    count_down(unknown_per_address, s.address);
  } else {
    const auto name = names.find(s.name);
    if (name != names.end() && name->second == conn) names.erase(name);
    by_login.erase(s.login_order);
  }
  sessions.erase(it);
}

// Back-pressure on a client that is over its budget, but never while its clock runs: it could not move.
void Server::State::throttle(Session& s) {
  if (s.door == Door::builtin) return;
  const std::int64_t wait_us = s.bucket.wait_us(now.mono);
  if (wait_us <= 0) return;
  if (wait_us > limits.throttle_us) {
    note(Note::Level::warning, fmt::format("{} ({}) is flooding", s.name, s.peer));
    return drop(s, "too many lines");
  }
  if (s.throttled) return;
  const Room* room = find(s.game);
  const bool runs = room != nullptr && room->started && !room->pending && !room->paused;
  if (runs && room->seats[room->game.to_move()] == s.conn) return;
  s.throttled = true;
  out->push_back(Throttle{s.conn, true});
  timers.set(throttle_timer(s.conn), now.mono + wait_us);
}

void Server::State::unthrottle(Session& s) {
  if (!s.throttled) return;
  s.throttled = false;
  timers.cancel(throttle_timer(s.conn));
  out->push_back(Throttle{s.conn, false});
}

}  // namespace fuhyo::core
