// The server's and the workers' sides with wires between them that a test can cut, hold and read; time is the test's.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/host/worker_client.h"
#include "server/host/worker_server.h"

namespace fuhyo::test {

constexpr std::int64_t kWireSecond = core::kSecond;

struct WorkerWire {
  explicit WorkerWire(host::WorkerLimits limits = {}) : server(limits, 1'000) {
    server.change(
        {.is_token = [](std::string_view name, std::string_view token) { return token == "t-" + std::string(name); },
         .is_spared = {}});
  }

  // ---- the server's side ----
  host::WorkerServer server;
  core::Instant now{1'000 * core::kSecond};
  std::map<core::ConnId, std::vector<std::string>> sent;  // by the server
  std::vector<core::ConnId> closed;                       // likewise
  std::vector<std::pair<host::WorkerSeat, std::string>> said, ended;
  std::vector<host::WorkerServer::Offered> offered;
  std::map<std::string, bool> present;
  std::vector<std::string> noted;

  core::ConnId open(const std::string& address = "192.0.2.7") {
    const core::ConnId conn{++last_conn};
    server.opened(conn, address, now);
    collect();
    return conn;
  }
  void line(core::ConnId conn, const std::string& text) {
    server.line(conn, text, now);
    collect();
  }
  void pass(std::int64_t us) {  // in steps of a quarter of a second
    for (const core::Instant until = now + us; now < until;) {
      now = now + kWireSecond / 4;
      server.tick(now);
      collect();
    }
  }
  void collect() {
    for (host::WorkerServer::Output& output : server.take()) {
      std::visit([this](auto& o) { on(o); }, output);
    }
  }
  std::string last(core::ConnId conn) { return sent[conn].empty() ? "" : sent[conn].back(); }

 private:
  void on(host::WorkerServer::Send& o) { sent[o.conn].push_back(o.line); }
  void on(host::WorkerServer::Close& o) { closed.push_back(o.conn); }
  void on(host::WorkerServer::Known&) {}
  void on(host::WorkerServer::Said& o) { said.emplace_back(o.seat, o.line); }
  void on(host::WorkerServer::Ended& o) { ended.emplace_back(o.seat, o.why); }
  void on(host::WorkerServer::Offered& o) { offered.push_back(o); }
  void on(host::WorkerServer::Present& o) { present[o.worker] = o.there; }
  void on(host::WorkerServer::Noted& o) { noted.push_back(o.text); }

  std::uint64_t last_conn = 0;
};

// A worker at the other end of a wire, with engines that are lists of what they were told.
class WireWorker {
 public:
  WireWorker(WorkerWire& wire, const std::string& name, const std::string& session = "s1")
      : wire_(wire),
        client({.name = name,
                .token = "t-" + name,
                .session = session,
                .threads = 2,
                .offers = {{.engine = 0, .nps = 1'000, .line = "name=" + name + "-1 game=club-900-5F"}}}) {}

  void connect() {
    conn = wire_.open();
    read_ = 0;
    client.connected(wire_.now);
    exchange();
  }
  // Both ends notice.
  void cut() {
    client.disconnected(wire_.now);
    act();
    wire_.server.closed(conn, wire_.now);
    wire_.collect();
  }
  // Only this end does; what it sent meanwhile is lost.
  void cut_here() {
    client.disconnected(wire_.now);
    act();
  }
  // Until nothing more is said.
  void exchange() {
    for (bool more = true; more;) {
      act();
      more = !unsent_.empty();
      for (const std::string& line : std::exchange(unsent_, {})) wire_.line(conn, line);
      const auto& lines = wire_.sent[conn];
      for (; read_ < lines.size(); more = true) client.line(lines[read_++], wire_.now);
    }
  }
  // Carries out what the client wants; what it sends waits for exchange().
  void act() {
    for (host::WorkerClient::Output& output : client.take()) {
      std::visit([this](auto& o) { on(o); }, output);
    }
  }
  void lose_sent() { unsent_.clear(); }

 private:
  WorkerWire& wire_;

 public:
  host::WorkerClient client;
  core::ConnId conn{};
  std::map<host::WorkerClient::Seat, std::vector<std::string>> engines;  // those that run
  std::vector<std::string> refused, hung_up, told;

 private:
  void on(host::WorkerClient::Send& o) { unsent_.push_back(o.line); }
  void on(host::WorkerClient::Hangup& o) { hung_up.push_back(o.why); }
  void on(host::WorkerClient::Refused& o) { refused.push_back(o.why); }
  void on(host::WorkerClient::Told& o) { told.push_back(o.text); }
  void on(host::WorkerClient::Start& o) { engines[o.seat]; }
  void on(host::WorkerClient::ToEngine& o) { engines[o.seat].push_back(o.line); }
  void on(host::WorkerClient::End& o) { engines.erase(o.seat); }

  std::deque<std::string> unsent_;
  std::size_t read_ = 0;
};

}  // namespace fuhyo::test
