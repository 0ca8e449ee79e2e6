#include "server/host/worker_client.h"

#include <algorithm>
#include <fmt/format.h>

#include "server/host/worker_server.h"
#include "server/host/worker_words.h"

namespace fuhyo::host {
namespace {

// What a server may ask for; more is a mistake, and would keep engines of nobody for ever.
constexpr std::uint64_t kLongestLease_s = 3600, kLongestPing_s = 300;
// So many pings may fail to come.
constexpr int kMissedPings = 3;

}  // namespace

void WorkerClient::connected(core::Instant now) {
  connected_ = true;
  welcomed_ = false;
  heard_ = now;
  send(fmt::format("worker {} {} {} {}", kWorkerProtocol, config_.name, config_.token, config_.session));
}

void WorkerClient::disconnected(core::Instant now) {
  if (!std::exchange(connected_, false)) return;
  // The lease runs from the last time that both of us knew of each other.
  if (std::exchange(welcomed_, false)) lost_ = now;
  for (auto& [seat, engine] : seats_) engine.heard = false;
}

void WorkerClient::tick(core::Instant now) {
  if (!welcomed_ && !seats_.empty() && now - lost_ >= lease_us_) end_all("the server was away for too long");
  if (connected_ && now - heard_ >= kMissedPings * ping_us_) outputs_.push_back(Hangup{"the server is silent"});
}

void WorkerClient::leave() {
  end_all("this worker ends");
  if (welcomed_) send("bye");
}

void WorkerClient::end_all(const std::string& why) {
  for (const auto& [seat, engine] : seats_) outputs_.push_back(End{seat, why});
  seats_.clear();
}

void WorkerClient::line(std::string_view text, core::Instant now) {
  if (!connected_) return;
  heard_ = now;
  std::string_view rest = text;
  const std::string_view word = usi::next_word(rest);
  if (!known(word, rest)) outputs_.push_back(Hangup{"the server said something that this program does not understand"});
}

bool WorkerClient::known(std::string_view word, std::string_view rest) {
  if (word == "refused") return refused(text_of(rest));
  if (word == "welcome") return welcome(rest);
  if (!welcomed_) return false;
  if (word == "ping") {
    send("pong");
    return true;
  }
  if (word == "note") {
    outputs_.push_back(Told{std::string(text_of(rest))});
    return true;
  }
  if (word == "start") return start(rest);
  const auto seat = next_number(rest);
  if (!seat || (word != "keep" && word != "line" && word != "ack" && word != "end")) return false;
  const auto found = seats_.find(*seat);
  if (found == seats_.end()) return true;  // it has ended meanwhile
  if (word == "keep") return keep(*seat, found->second, rest);
  if (word == "line") return hear(*seat, found->second, rest);
  if (word == "ack") return acknowledged(*seat, found->second, rest);
  if (found->second.over == 0) outputs_.push_back(End{*seat, "the server ends it"});
  seats_.erase(found);
  return true;
}

bool WorkerClient::refused(std::string_view why) {
  // Somebody else's guesses may shut this machine out for a while; a token that was never good is another matter.
  const bool may_pass =
      why == "wrong name or token" ? ever_welcomed_ : ever_welcomed_ && why != "superseded" && why != "dropped";
  if (may_pass) {
    outputs_.push_back(Hangup{"the server refused: " + std::string(why)});
  } else {
    end_all("the server refused: " + std::string(why));
    outputs_.push_back(Refused{std::string(why)});
  }
  return true;
}

bool WorkerClient::welcome(std::string_view rest) {
  const auto version = next_number(rest), lease_s = next_number(rest), ping_s = next_number(rest);
  if (welcomed_ || version != std::uint64_t{kWorkerProtocol} || !lease_s || !ping_s) return false;
  if (*lease_s > kLongestLease_s || *ping_s == 0 || *ping_s > kLongestPing_s) return false;
  lease_us_ = static_cast<std::int64_t>(*lease_s) * core::kSecond;
  ping_us_ = static_cast<std::int64_t>(*ping_s) * core::kSecond;
  welcomed_ = ever_welcomed_ = true;
  for (const WorkerOffer& offer : config_.offers) {
    send(fmt::format("engine {} {} {}", offer.engine, offer.nps, offer.line));
  }
  for (const auto& [seat, engine] : seats_) send(worker_line("hold", seat, engine.lines.last_heard()));
  send(worker_line("ready", config_.threads));
  return true;
}

bool WorkerClient::start(std::string_view rest) {
  const auto seat = next_number(rest), engine = next_number(rest);
  const auto is_it = [&](const WorkerOffer& offer) { return engine == static_cast<std::uint64_t>(offer.engine); };
  if (!seat || !engine || std::ranges::none_of(config_.offers, is_it)) return false;
  if (seats_.size() >= kMostWorkerSeats || seats_.contains(*seat)) return false;
  seats_[*seat].heard = true;
  outputs_.push_back(Start{*seat, static_cast<int>(*engine)});
  return true;
}

bool WorkerClient::keep(Seat seat, Engine& engine, std::string_view rest) {
  const auto heard = next_number(rest);
  if (!heard || !engine.lines.acknowledge(*heard)) return false;
  engine.heard = true;
  for (const WorkerLines::Line& line : engine.lines.waiting()) say(seat, engine, line);
  if (engine.over != 0 && engine.lines.waiting().empty()) seats_.erase(seat);
  return true;
}

bool WorkerClient::hear(Seat seat, Engine& engine, std::string_view rest) {
  const auto number = next_number(rest);
  if (!number) return false;
  const WorkerLines::Heard heard = engine.lines.hear(*number);
  if (heard == WorkerLines::Heard::gap) return false;
  send(worker_line("ack", seat, *number));
  if (heard == WorkerLines::Heard::news && engine.over == 0) {
    outputs_.push_back(ToEngine{seat, std::string(text_of(rest))});
  }
  return true;
}

bool WorkerClient::acknowledged(Seat seat, Engine& engine, std::string_view rest) {
  const auto number = next_number(rest);
  if (!number || !engine.lines.acknowledge(*number)) return false;
  if (engine.over != 0 && *number >= engine.over) seats_.erase(seat);
  return true;
}

void WorkerClient::say(Seat seat, const Engine& engine, const WorkerLines::Line& line) {
  const bool last = line.number == engine.over;
  send(fmt::format("{} {} {} {}", last ? "ended" : "line", seat, line.number, line.text));
}

// ---- engines ----

// What an engine says of its search is old a moment later: it is not kept.
void WorkerClient::engine_line(Seat seat, std::string_view text) {
  const auto found = seats_.find(seat);
  if (found == seats_.end() || found->second.over != 0 || text.empty()) return;
  Engine& engine = found->second;
  if (usi::peek_word(text) == "info") {
    if (engine.heard) send(fmt::format("info {} {}", seat, text));
    return;
  }
  const WorkerLines::Line& line = engine.lines.put(std::string(text));
  if (engine.heard) say(seat, engine, line);
  if (engine.lines.bytes() <= kUnheardBytes) return;
  outputs_.push_back(End{seat, "it says more than the server takes"});
  engine_ended(seat, "it said more than the server took");
}

void WorkerClient::engine_ended(Seat seat, std::string_view why) {
  const auto found = seats_.find(seat);
  if (found == seats_.end() || found->second.over != 0) return;
  Engine& engine = found->second;
  const WorkerLines::Line& line = engine.lines.put(std::string(why));
  engine.over = line.number;
  if (engine.heard) say(seat, engine, line);
}

}  // namespace fuhyo::host
