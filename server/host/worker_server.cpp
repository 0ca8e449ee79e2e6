// Connections of workers: who they are, whether they are there. Their seats: worker_server_seats.cpp.
#include "server/host/worker_server.h"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

#include "server/core/logins/accounts.h"
#include "server/host/worker_words.h"

namespace fuhyo::host {
namespace {

constexpr std::size_t kMaxName = 32, kMaxToken = 64, kMaxSession = 32;

}  // namespace

void WorkerServer::change(Rules rules) {
  rules_ = std::move(rules);
  dropped_.clear();
  for (const auto& [name, worker] : workers_) {
    if (worker.conn && !(rules_.is_token && rules_.is_token(name, worker.token))) cut_off(name, worker);
  }
}

// As drop(), but a worker with the new token may connect.
void WorkerServer::cut_off(const std::string& name, const Worker& worker) {
  note(true, fmt::format("worker {}: its token is none any more", name));
  end_seats(name, fmt::format("the token of the worker {} was changed", name));
  const core::ConnId conn = *worker.conn;
  lost(name, worker.heard);
  refuse(conn, peers_.at(conn), "dropped");
}

// ---- connections ----

void WorkerServer::opened(core::ConnId conn, std::string address, core::Instant now) {
  const bool shut_out = !is_spared(address) && penalties_.shut_out_us(address, now) > 0;
  if (!shut_out) make_room(address);
  Peer& peer = peers_[conn];
  peer.address = std::move(address);
  peer.opened = peer.heard = peer.pinged = peer.window = now;
  if (!shut_out) return;
  peer.leaving = true;
  outputs_.push_back(Close{conn});
}

// A worker that comes back says who it is at once; connections that say nothing must not keep it out. So where an
// address, or all of them, have as many unknown connections as they may, the oldest is closed: of that address, or of
// the one that has most.
void WorkerServer::make_room(const std::string& address) {
  std::map<std::string, std::vector<core::ConnId>> waiting;  // the oldest first
  std::size_t all = 0;
  for (const auto& [conn, peer] : peers_) {
    if (!peer.worker.empty() || peer.leaving) continue;
    waiting[core::narrow_network(peer.address)].push_back(conn);
    ++all;
  }
  const std::vector<core::ConnId>& own = waiting[core::narrow_network(address)];
  const bool has_its_share = !is_spared(address) && own.size() >= limits_.strangers_per_address;
  if (!has_its_share && all < limits_.strangers) return;
  const auto& most = *std::ranges::max_element(waiting | std::views::values, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : b.empty() || (!a.empty() && a.front() > b.front());
  });
  const core::ConnId goes = (has_its_share ? own : most).front();
  peers_.at(goes).leaving = true;
  outputs_.push_back(Close{goes});
}

void WorkerServer::closed(core::ConnId conn, core::Instant now) {
  const auto peer = peers_.find(conn);
  if (peer == peers_.end()) return;
  const auto worker = workers_.find(peer->second.worker);
  if (worker != workers_.end() && worker->second.conn == conn) {
    note(true, fmt::format("worker {}: the connection is lost; its engines have {} s to come back", worker->first,
                           limits_.lease_us / core::kSecond));
    lost(worker->first, now);
  }
  peers_.erase(peer);
}

void WorkerServer::lost(const std::string& name, core::Instant now) {
  Worker& worker = workers_.find(name)->second;
  worker.conn.reset();
  worker.lost = now;
  for (auto& [number, seat] : seats_) {
    if (seat.worker == name) seat.told = false;
  }
  outputs_.push_back(Present{name, false});
}

// It is told why, and not heard any more.
void WorkerServer::refuse(core::ConnId conn, Peer& peer, std::string_view why) {
  send(conn, fmt::format("refused {}", why));
  outputs_.push_back(Close{conn});
  peer.leaving = true;
  peer.refuse_at.reset();
}

// What no worker of ours does. Of a stranger it costs what a wrong token does.
void WorkerServer::fault(core::ConnId conn, Peer& peer, std::string_view why) {
  if (peer.worker.empty() && !is_spared(peer.address)) {
    penalties_.charge(peer.address, limits_.penalties.failure_us, peer.heard);
  }
  note(true, fmt::format("{} {}: {}", peer.worker.empty() ? "a stranger at the workers' port," : "worker",
                         peer.worker.empty() ? peer.address : peer.worker, why));
  refuse(conn, peer, why);
}

void WorkerServer::bad_input(core::ConnId conn, std::string_view why, core::Instant now) {
  const auto peer = peers_.find(conn);
  if (peer == peers_.end() || peer->second.leaving) return;
  peer->second.heard = now;
  fault(conn, peer->second, why);
}

bool WorkerServer::floods(Peer& peer, std::size_t bytes, core::Instant now) const {
  if (now - peer.window >= core::kSecond) {
    peer.window = now;
    peer.bytes = 0;
  }
  peer.bytes += bytes + 1;
  return peer.bytes > limits_.bytes_per_second;
}

void WorkerServer::line(core::ConnId conn, std::string_view text, core::Instant now) {
  const auto found = peers_.find(conn);
  if (found == peers_.end() || found->second.leaving || found->second.refuse_at) return;
  Peer& peer = found->second;
  peer.heard = now;
  if (floods(peer, text.size(), now)) return fault(conn, peer, "it sends too much");
  std::string_view rest = text;
  const std::string_view word = usi::next_word(rest);
  if (peer.worker.empty()) {
    return word == "worker" ? log_in(conn, peer, rest, now) : fault(conn, peer, "this is the port of workers");
  }
  workers_.find(peer.worker)->second.heard = now;
  // Words of strangers do not stand in the log.
  if (!known(conn, peer, word, rest, now)) fault(conn, peer, "a line that this server does not understand");
}

bool WorkerServer::known(core::ConnId conn, Peer& peer, std::string_view word, std::string_view rest,
                         core::Instant now) {
  if (word == "pong") return true;
  if (word == "bye") {
    good_bye(conn, peer, now);
    return true;
  }
  if (!peer.ready) {
    if (word == "engine") return offer(peer, rest);
    if (word == "hold") return hold(conn, peer, rest);
    if (word == "ready") return ready(conn, peer, rest, now);
    // What engines say comes at once behind "hold".
  }
  return of_seat(conn, peer, word, rest);
}

// ---- who it is ----

void WorkerServer::log_in(core::ConnId conn, Peer& peer, std::string_view rest, core::Instant now) {
  const auto version = next_number(rest);
  if (version != std::uint64_t{kWorkerProtocol}) {
    return fault(conn, peer, fmt::format("it speaks another version of the protocol than {}", kWorkerProtocol));
  }
  const std::string name(usi::next_word(rest)), token(usi::next_word(rest)), session(usi::next_word(rest));
  const bool whole = !session.empty() && usi::next_word(rest).empty();
  if (!whole || name.size() > kMaxName || token.size() > kMaxToken || session.size() > kMaxSession) {
    return fault(conn, peer, "its first line is not worker VERSION NAME TOKEN SESSION");
  }
  const std::string key = core::name_key(name);
  const bool waits = !is_spared(peer.address) && penalties_.wait_us(key, peer.address, now) > 0;
  if (!waits && rules_.is_token && rules_.is_token(name, token)) {
    penalties_.succeeded(key, peer.address);
    if (dropped_.contains(name)) return refuse(conn, peer, "dropped");
    welcome(conn, peer, name, session, now);
    workers_.find(name)->second.token = token;
    return;
  }
  if (!waits && !is_spared(peer.address)) penalties_.failed(key, peer.address, now);
  note(true, fmt::format("a worker was refused at {}: wrong name or token", peer.address));
  peer.refuse_at = now + limits_.refusal_us;
}

void WorkerServer::welcome(core::ConnId conn, Peer& peer, std::string name, std::string session, core::Instant now) {
  Worker& worker = workers_[name];
  const bool goes_on = worker.session == session;
  if (worker.conn) {
    const core::ConnId former = *worker.conn;
    lost(name, now);
    // Of the same process it is a dead line that nobody has noticed yet.
    refuse(former, peers_.at(former), "superseded");
  }
  if (!goes_on) {
    end_seats(name, fmt::format("the worker {} began anew", name));
    worker.offered = false;
  }
  worker.conn = conn;
  worker.session = std::move(session);
  worker.address = peer.address;
  worker.since = worker.heard = now;
  peer.worker = std::move(name);
  peer.opened = peer.pinged = now;
  outputs_.push_back(Known{conn});
  send(conn,
       worker_line("welcome", kWorkerProtocol, limits_.lease_us / core::kSecond, limits_.ping_us / core::kSecond));
}

// It ends by itself, and takes its engines with it.
void WorkerServer::good_bye(core::ConnId conn, Peer& peer, core::Instant now) {
  note(false, fmt::format("worker {}: it leaves", peer.worker));
  end_seats(peer.worker, fmt::format("the worker {} left", peer.worker));
  lost(peer.worker, now);
  peer.leaving = true;
  outputs_.push_back(Close{conn});
}

// ---- time ----

void WorkerServer::tick(core::Instant now) {
  for (auto& [conn, peer] : peers_) {
    if (!peer.leaving) look_at(conn, peer, now);
  }
  for (auto& [name, worker] : workers_) {
    if (worker.conn || now - worker.lost < limits_.lease_us) continue;
    end_seats(name, fmt::format("the worker {} did not come back", name));
  }
}

void WorkerServer::look_at(core::ConnId conn, Peer& peer, core::Instant now) {
  if (peer.refuse_at) {
    if (now >= *peer.refuse_at) refuse(conn, peer, "wrong name or token");
    return;
  }
  if (peer.worker.empty()) {
    if (now - peer.opened >= limits_.login_us) refuse(conn, peer, "nothing was said");
    return;
  }
  const bool silent = now - peer.heard >= limits_.silence_us;
  if (silent || (!peer.ready && now - peer.opened >= limits_.offers_us)) {
    note(true, fmt::format("worker {}: it is silent", peer.worker));
    peer.leaving = true;
    outputs_.push_back(Close{conn});
    return lost(peer.worker, now);
  }
  if (now - peer.pinged < limits_.ping_us) return;
  peer.pinged = now;
  send(conn, "ping");
}

// ---- for operators ----

void WorkerServer::tell(const std::string& worker, std::string_view text) {
  const auto found = workers_.find(worker);
  if (found != workers_.end() && found->second.conn) send(*found->second.conn, fmt::format("note {}", text));
}

bool WorkerServer::drop(const std::string& worker) {
  const auto found = workers_.find(worker);
  if (found == workers_.end()) return false;
  end_seats(worker, fmt::format("the worker {} was taken away", worker));
  if (found->second.conn) refuse(*found->second.conn, peers_.at(*found->second.conn), "dropped");
  workers_.erase(found);
  dropped_.insert(worker);
  return true;
}

std::vector<WorkerServer::Row> WorkerServer::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, worker] : workers_) {
    const auto seats = std::ranges::count_if(seats_, [&](const auto& each) { return each.second.worker == name; });
    rows.push_back({.name = name,
                    .address = worker.address,
                    .connected = worker.conn.has_value(),
                    .since = worker.since,
                    .last_heard = worker.heard,
                    .threads = worker.threads,
                    .seats = static_cast<std::size_t>(seats),
                    .offers = worker.offers});
  }
  return rows;
}

}  // namespace fuhyo::host
