// Who is connected: opening, flooding, leaving.
#include <fmt/format.h>
#include <utility>

#include "server/core/state.h"
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

std::size_t count_of(const std::unordered_map<std::string, std::size_t>& counts, const std::string& key) {
  const auto it = counts.find(key);
  return it == counts.end() ? 0 : it->second;
}

void count_down(std::unordered_map<std::string, std::size_t>& counts, const std::string& key) {
  const auto it = counts.find(key);
  if (it != counts.end() && --it->second == 0) counts.erase(it);
}

Session* Server::State::find(ConnId conn) {
  const auto it = sessions.find(conn);
  return it == sessions.end() ? nullptr : &it->second;
}

Session* Server::State::find_name(std::string_view name) {
  const auto it = names.find(std::string(name));
  return it == names.end() ? nullptr : find(it->second);
}

// Where strangers have all their places, one of them goes for the newcomer: one who has said nothing before one who
// has, one of the network that holds most before the others, the oldest first. No network gets more than others by
// that.
void Server::State::make_room_for_stranger(const Session& newcomer) {
  if (unknown < limits.unauthenticated) return;
  // The first one of a network may come for anybody, another one only if its network then has no more than that one's.
  const std::size_t own = count_of(unknown_per_network, newcomer.network);
  const std::size_t few = own == 0 ? 0 : own + 1;
  Session* found = nullptr;
  std::pair<bool, std::size_t> best;
  for (const auto& [conn, spoken] : strangers) {
    Session& s = *find(conn);
    const std::pair rank(!spoken, unknown_per_network.at(s.network));
    if (rank.second <= few || is_spared(s.address) || (found != nullptr && rank <= best)) continue;
    found = &s;
    best = rank;
  }
  if (found == nullptr) return;
  count_refusal(Refusal::silent);
  drop(*found, "not logged in, and others wait");
}

// A name that cost nothing.
bool Server::State::is_throwaway(const Session& s) const {
  return s.door == Door::csa && !s.account && s.role == Role::player && !is_spared(s.address);
}

// Whether there is a place for who has shown his name and secret, if need be that of the oldest who has no account and
// nothing to do. For those who are known he may be anybody; else he is of a network that holds no less.
bool Server::State::has_place(const Session& s, bool known) {
  if (s.door == Door::builtin) return true;
  const std::size_t places = limits.sessions - std::min(limits.sessions, limits.unauthenticated);
  const std::size_t inside = sessions.size() - unknown;
  if (inside + (known ? 0 : limits.reserved_sessions) < places) return true;
  if (!known && now.mono < full_until) return false;
  const std::size_t own = known ? 0 : per_network.at(s.network);
  for (const auto& [order, conn] : by_login) {
    Session& one = *find(conn);
    const bool idle = one.phase == Phase::connected || one.phase == Phase::game_waiting;
    if (!idle || !is_throwaway(one) || per_network.at(one.network) < own) continue;
    count_refusal(Refusal::crowded);
    drop(one, "idle, and the server is full");
    return true;
  }
  if (!known) full_until = now.mono + limits.full_us;
  return false;
}

bool Server::State::is_spared(std::string_view address) const { return rules.exempt && rules.exempt(address); }

bool Server::State::is_shut_out(const Session& s) const {
  if (s.door == Door::builtin || is_spared(s.address)) return false;
  return penalties.shut_out_us(s.address, now.mono) > 0;
}

// Whether its network has all that one may have.
bool Server::State::has_its_share(const Session& s) const {
  if (s.door == Door::builtin || is_spared(s.address)) return false;
  return count_of(per_network, s.network) >= limits.sessions_per_address ||
         count_of(unknown_per_network, s.network) >= limits.unauthenticated_per_address;
}

void Server::State::on(const Opened& e) {
  const std::string address = address_of(e.peer);
  Session s{.conn = e.conn,
            .door = e.door,
            .home = e.room,
            .room = e.room,
            .peer = e.peer,
            .address = address,
            .network = narrow_network(address),
            .secure = e.secure,
            .bucket = Bucket(limits.commands_per_s, limits.commands_burst, now.mono)};
  const bool shut_out = is_shut_out(s);
  bool refused = shut_out || has_its_share(s);
  if (!refused && s.door != Door::builtin) {  // nobody goes for one who is refused anyway
    make_room_for_stranger(s);
    refused = sessions.size() >= limits.sessions || unknown >= limits.unauthenticated;
  }
  if (refused) {
    count_refusal(shut_out ? Refusal::shut_out : Refusal::crowded);
    const std::string_view why = shut_out ? "too many wrong secrets" : "too many connections";
    if (refusals.tell(now.mono)) {
      note(Note::Level::warning, fmt::format("refused {}: {}{}", e.peer, why, refusals.untold()));
    }
    close(e.conn, why);
    return;
  }
  if (s.door != Door::builtin) {  // built-in players take no place of a stranger
    strangers.emplace(e.conn, false);
    ++unknown;
  }
  ++per_network[s.network];
  ++unknown_per_network[s.network];
  timers.set(login_timer(e.conn), now.mono + limits.login_us);
  sessions.emplace(e.conn, std::move(s));
}

void Server::State::on(const Line& e) {
  Session* s = find(e.conn);
  if (s == nullptr || s->phase == Phase::finished) return;
  if (s->phase == Phase::before_login) {
    if (const auto stranger = strangers.find(e.conn); stranger != strangers.end()) stranger->second = true;
    if (s->login) {
      hold(*s, e);
    } else {
      log_in(*s, e);
    }
    return;
  }
  command(*s, e);
  if (Session* still = find(e.conn)) throttle(*still);
}

void Server::State::on(const BadInput& e) {
  Session* s = find(e.conn);
  if (s == nullptr) return;
  count_refusal(Refusal::bad_line);
  if (!s->name.empty()) {
    note(Note::Level::warning, fmt::format("{} ({}): {}", s->name, s->peer, e.why));
  } else if (refusals.tell(now.mono)) {
    note(Note::Level::warning, fmt::format("refused {}: {}{}", s->peer, e.why, refusals.untold()));
  }
  drop(*s, e.why);
}

void Server::State::on(const Closed& e) {
  Session* s = find(e.conn);
  if (s == nullptr) return;
  if (!s->name.empty()) note(Note::Level::info, fmt::format("{} ({}) disconnected: {}", s->name, s->peer, e.why));
  s->parting = true;
  leave(*s, "disconnected: " + e.why);
  forget(e.conn);
}

void Server::State::leave(Session& s, std::string_view why) {
  leave_queue(s);
  Table* table = find(s.game);
  if (table == nullptr) return;
  if (!table->started) {
    // Whoever comes back is owed a game of the round; whoever says REJECT is not.
    RoundGroup* group = table->round == 0 ? nullptr : group_of(s.wanted.text);
    const std::string id = s.id;
    close_unstarted(*table, s.name);
    if (group == nullptr) return;
    group->owed.insert(id);
    keep_owed(group->told.game_name, *group);
    return;
  }
  const shogi::Color side = table->seats[shogi::BLACK] == s.conn ? shogi::BLACK : shogi::WHITE;
  if (s.given_over || may_come_back(*table)) return step_away(*table, side, !s.given_over);
  table->inbox.push_back(
      {.conn = s.conn, .side = side, .line = {}, .arrived = now.mono, .gone = true, .why = std::string(why)});
  work_off(table->game.id());
}

void Server::State::drop(Session& s, std::string_view why) {
  const ConnId conn = s.conn;
  if (s.phase == Phase::finished) return forget(conn);
  s.parting = true;
  leave(s, why);
  // A session whose game ended just now is closed already.
  if (const Session* still = find(conn); still != nullptr && still->phase != Phase::finished) close(conn, why);
  forget(conn);
}

void Server::State::forget(ConnId conn) {
  const auto it = sessions.find(conn);
  if (it == sessions.end()) return;
  Session& s = it->second;
  stop_monitoring(s);
  go_from_event(s);
  timers.cancel(login_timer(conn));
  timers.cancel(throttle_timer(conn));
  timers.cancel(refusal_timer(conn));
  strangers.erase(conn);
  count_down(per_network, s.network);
  if (s.name.empty()) {
    if (s.door != Door::builtin) --unknown;
    count_down(unknown_per_network, s.network);
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
    count_refusal(Refusal::flooding);
    return drop(s, "too many lines");
  }
  if (s.throttled) return;
  const Table* table = find(s.game);
  const bool runs = table != nullptr && table->started && !table->pending && !table->paused;
  if (runs && table->seats[table->game.to_move()] == s.conn) return;
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
