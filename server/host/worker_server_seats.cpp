// Seats of workers: engines that run elsewhere, and what is said to them and by them.
#include <algorithm>
#include <fmt/format.h>

#include "server/core/counted.h"
#include "server/host/worker_server.h"
#include "server/host/worker_words.h"

namespace fuhyo::host {
namespace {

constexpr std::uint64_t kMostWorkerThreads = 4096;
constexpr std::size_t kLongestWhy = 200;  // of a worker's words in our log

std::uint64_t number_of(WorkerSeat seat) { return static_cast<std::uint64_t>(seat); }

std::string line_of(WorkerSeat seat, const WorkerLines::Line& line) {
  return fmt::format("line {} {} {}", number_of(seat), line.number, line.text);
}

}  // namespace

// ---- what a worker says before it is ready ----

bool WorkerServer::offer(Peer& peer, std::string_view rest) {
  const auto engine = next_number(rest), nps = next_number(rest);
  if (!engine || !nps || *engine >= kMostOffers || peer.offers.size() >= kMostOffers) return false;
  const auto same = [&](const WorkerOffer& other) { return other.engine == static_cast<int>(*engine); };
  if (std::ranges::any_of(peer.offers, same)) return false;
  peer.offers.push_back({.engine = static_cast<int>(*engine),
                         .nps = static_cast<std::int64_t>(*nps),
                         .line = std::string(text_of(rest))});
  return true;
}

// It still runs the engine of a seat: the lines that one of us has missed are said again.
bool WorkerServer::hold(core::ConnId conn, Peer& peer, std::string_view rest) {
  const auto number = next_number(rest), heard = next_number(rest);
  if (!number || !heard || peer.held.size() >= kMostWorkerSeats) return false;
  const auto seat = seats_.find(WorkerSeat{*number});
  if (seat == seats_.end() || seat->second.worker != peer.worker) {
    send(conn, worker_line("end", *number));
    return true;
  }
  // Each time all that waits would be said again: up to half a megabyte for a line of 25 bytes.
  if (peer.held.contains(seat->first)) return false;
  WorkerLines& lines = seat->second.lines;
  if (!lines.acknowledge(*heard)) return false;
  peer.held.insert(seat->first);
  seat->second.told = true;
  send(conn, worker_line("keep", *number, lines.last_heard()));
  for (const WorkerLines::Line& line : lines.waiting()) send(conn, line_of(seat->first, line));
  return true;
}

bool WorkerServer::ready(core::ConnId conn, Peer& peer, std::string_view rest, core::Instant now) {
  const auto threads = next_number(rest);
  if (!threads || *threads == 0 || *threads > kMostWorkerThreads || !rest.empty()) return false;
  Worker& worker = workers_.find(peer.worker)->second;
  const bool news = !worker.offered || worker.offers != peer.offers || worker.threads != static_cast<int>(*threads);
  if (news && !may_change_offers(worker, now)) {
    fault(conn, peer, "its offers change too often; come again in a minute");
    return true;
  }
  peer.ready = true;
  peer.pinged = now;
  for (auto it = seats_.begin(); it != seats_.end();) {
    const auto [number, seat] = std::pair(it->first, &it->second);
    const bool missing = seat->worker == peer.worker && !seat->told;
    // An engine that was never heard of was not started: its lines were lost on their way.
    if (missing && !seat->lines.acknowledged() && seat->lines.last_heard() == 0) tell(conn, number, *seat);
    if (!missing || seat->told) {
      ++it;
      continue;
    }
    outputs_.push_back(Ended{number, fmt::format("the worker {} does not have it any more", peer.worker)});
    it = seats_.erase(it);
  }
  worker.offered = true;
  worker.offers = peer.offers;
  worker.threads = static_cast<int>(*threads);
  note(false, fmt::format("worker {}: connected from {} with {}; seats that go on: {}", peer.worker, peer.address,
                          core::counted(peer.offers.size(), "engine"), peer.held.size()));
  if (news) outputs_.push_back(Offered{peer.worker, worker.threads, worker.offers});
  outputs_.push_back(Present{peer.worker, true});
  return true;
}

// Players that come and go cost everybody time: a log-out, a log-in and a thread each.
bool WorkerServer::may_change_offers(Worker& worker, core::Instant now) const {
  const core::Instant paid = std::max(worker.offers_paid, now);
  if (paid - now > limits_.offers_tolerated_us) return false;
  worker.offers_paid = paid + limits_.offers_cost_us;
  return true;
}

// ---- what engines say ----

bool WorkerServer::of_seat(core::ConnId conn, Peer& peer, std::string_view word, std::string_view rest) {
  if (word != "ack" && word != "info" && word != "line" && word != "ended") return false;
  const auto number = next_number(rest);
  if (!number) return false;
  const auto seat = seats_.find(WorkerSeat{*number});
  const bool its_own = seat != seats_.end() && seat->second.worker == peer.worker && seat->second.told;
  if (!its_own) {  // it has been told, or is told now
    if (word == "ended" || word == "line") send(conn, worker_line("end", *number));
    return true;
  }
  if (word != "info") return numbered(conn, seat->first, seat->second, word, rest);
  outputs_.push_back(Said{seat->first, std::string(text_of(rest))});
  return true;
}

bool WorkerServer::numbered(core::ConnId conn, WorkerSeat number, Seat& seat, std::string_view word,
                            std::string_view rest) {
  const auto line = next_number(rest);
  if (!line) return false;
  if (word == "ack") return seat.lines.acknowledge(*line);
  const WorkerLines::Heard heard = seat.lines.hear(*line);
  if (heard == WorkerLines::Heard::gap) return false;
  send(conn, worker_line("ack", number_of(number), *line));
  if (heard == WorkerLines::Heard::again) return true;
  if (word == "line") {
    outputs_.push_back(Said{number, std::string(text_of(rest))});
  } else {
    outputs_.push_back(Ended{number, std::string(text_of(rest).substr(0, kLongestWhy))});
    seats_.erase(number);
  }
  return true;
}

// ---- what the server wants ----

std::expected<WorkerSeat, std::string> WorkerServer::start(const std::string& worker, int engine) {
  const auto found = workers_.find(worker);
  const bool there = found != workers_.end() && found->second.conn && peers_.at(*found->second.conn).ready;
  if (!there) return std::unexpected(fmt::format("the worker {} is not connected", worker));
  const auto is_it = [&](const WorkerOffer& offer) { return offer.engine == engine; };
  if (std::ranges::none_of(found->second.offers, is_it)) {
    return std::unexpected(fmt::format("the worker {} does not offer the engine any more", worker));
  }
  const auto taken = std::ranges::count_if(seats_, [&](const auto& each) { return each.second.worker == worker; });
  if (static_cast<std::size_t>(taken) >= kMostWorkerSeats) {
    return std::unexpected(fmt::format("the worker {} has {} already", worker, core::counted(taken, "engine")));
  }
  const WorkerSeat number{++last_seat_};
  Seat& seat =
      seats_.emplace(number, Seat{.worker = worker, .engine = engine, .told = false, .lines = {}}).first->second;
  tell(*found->second.conn, number, seat);
  return number;
}

void WorkerServer::tell(core::ConnId conn, WorkerSeat number, Seat& seat) {
  seat.told = true;
  send(conn, worker_line("start", number_of(number), seat.engine));
  for (const WorkerLines::Line& line : seat.lines.waiting()) send(conn, line_of(number, line));
}

bool WorkerServer::write(WorkerSeat number, std::string_view line) {
  const auto seat = seats_.find(number);
  if (seat == seats_.end()) return false;
  const WorkerLines::Line& put = seat->second.lines.put(std::string(line));
  const auto worker = workers_.find(seat->second.worker);
  const bool hears = seat->second.told && worker->second.conn;
  if (hears) send(*worker->second.conn, line_of(number, put));
  if (seat->second.lines.bytes() <= limits_.unread_bytes) return true;
  outputs_.push_back(Ended{number, "its worker does not take its lines"});
  end(number);
  return false;
}

void WorkerServer::end(WorkerSeat number) {
  const auto seat = seats_.find(number);
  if (seat == seats_.end()) return;
  const auto worker = workers_.find(seat->second.worker);
  if (seat->second.told && worker->second.conn) send(*worker->second.conn, worker_line("end", number_of(number)));
  seats_.erase(seat);
}

void WorkerServer::end_seats(const std::string& worker, const std::string& why) {
  for (auto it = seats_.begin(); it != seats_.end();) {
    if (it->second.worker != worker) {
      ++it;
      continue;
    }
    outputs_.push_back(Ended{it->first, why});
    it = seats_.erase(it);
  }
}

}  // namespace fuhyo::host
