// The network between clients and the server: streams of bytes that arrive late and in pieces, connections that are
// reset, and machines that vanish without a word. One thread, virtual time.
#pragma once

#include <fmt/format.h>
#include <map>

#include "tests/sim/stage.h"

namespace fuhyo::sim {

// A program at the far end. It may hold several connections.
class Client {
 public:
  virtual ~Client() = default;
  virtual void start() = 0;
  virtual void connected(core::ConnId conn) = 0;
  virtual void heard(core::ConnId conn, std::string_view bytes) = 0;
  virtual void lost(core::ConnId conn) = 0;  // refused, closed, reset, or its own machine failed
  virtual void wind_down() = 0;              // faults are over: finish what you are doing and leave
};

// The server's end, while the server lives.
class ServerPort {
 public:
  virtual ~ServerPort() = default;
  virtual void accepted(const core::Opened& opened) = 0;
  virtual void readable(core::ConnId conn) = 0;                      // bytes, or the end of the stream
  virtual void broken(core::ConnId conn, std::string_view why) = 0;  // reset or timed out
};

class Network {
 public:
  explicit Network(Stage& stage) : stage_(stage), rng_(stage.rng.fork()) {}

  void serve(ServerPort* server) { server_ = server; }
  // The server's process is gone.
  void crash() {
    server_ = nullptr;
    for (auto& [conn, link] : links_) {
      if (!link.server_open) continue;
      link.down_cut = rng_.chance(0.5);
      close(conn);
    }
  }

  // ---- the client's side ----
  struct Caller {
    core::ConnectionKind kind = core::ConnectionKind::csa;
    std::string room = "main";
    std::string address;
    bool faultless = false;  // a pipe within the server's machine
    bool reads = true;       // never takes anything out of its socket otherwise
    bool honest = false;     // for the plant that harms honest players
  };
  core::ConnId dial(Client& client, const Caller& caller) {
    const core::ConnId conn{++dialled_};
    Link& link = links_[conn];
    link.client = &client;
    link.caller = caller;
    stage_.time.after(delay_us(link), [this, conn] { knock(conn); });
    return conn;
  }
  void send(core::ConnId conn, std::string_view bytes) {
    Link& link = links_.at(conn);
    if (!link.client_open) return;
    if (faulty(link) && rng_.chance(stage_.scenario.network.reset)) return reset(conn);
    link.held += corrupted(link, bytes);
    if (faulty(link) && rng_.chance(stage_.scenario.network.hold)) {
      stage_.time.after(rng_.between(1, 20) * kMillisecond, [this, conn] {
        Link& late = links_.at(conn);
        up(conn, late, std::exchange(late.held, {}));
      });
    } else {
      up(conn, link, std::exchange(link.held, {}));
    }
    if (faulty(link) && rng_.chance(stage_.scenario.network.vanish)) vanish(conn);
  }
  // FIN after everything sent.
  void hang_up(core::ConnId conn) {
    Link& link = links_.at(conn);
    if (!std::exchange(link.client_open, false)) return;
    up(conn, link, std::exchange(link.held, {}));
    link.up_us = std::max(link.up_us, stage_.time.now_us() + delay_us(link));
    stage_.time.at(link.up_us, [this, conn] {
      Link& closing = links_.at(conn);
      closing.fin = true;
      if (closing.server_open && server_ != nullptr) server_->readable(conn);
    });
  }
  // RST, what is on its way is lost.
  void reset(core::ConnId conn) {
    Link& link = links_.at(conn);
    if (!std::exchange(link.client_open, false)) return;
    tell_server(conn, delay_us(link), "connection reset");
    lose(conn, stage_.time.now_us());
  }
  // Half-open: the server is not told.
  void vanish(core::ConnId conn) {
    Link& link = links_.at(conn);
    if (!std::exchange(link.client_open, false)) return;
    link.vanished = true;
    stage_.marks.hit("half_open");
    tell_server(conn, rng_.between(30, 60) * kSecond, "timed out");  // keep-alive probes, TCP_USER_TIMEOUT
    lose(conn, stage_.time.now_us());
  }
  void stop_reading(core::ConnId conn) { links_.at(conn).caller.reads = false; }

  // ---- the server's side ----
  // What has arrived.
  std::string take(core::ConnId conn, std::size_t most) {
    Link& link = links_.at(conn);
    std::string bytes = link.kernel.substr(0, most);
    link.kernel.erase(0, bytes.size());
    return bytes;
  }
  // Nothing more will arrive.
  bool ended(core::ConnId conn) const {
    const Link& link = links_.at(conn);
    return link.fin && link.kernel.empty();
  }
  // Written, but not taken by the client.
  std::size_t unsent(core::ConnId conn) const { return links_.at(conn).unread; }
  void write(core::ConnId conn, std::string_view bytes) {
    Link& link = links_.at(conn);
    if (!link.server_open) return;
    if (!link.caller.reads) link.unread += bytes.size();
    while (!bytes.empty()) {
      std::size_t size = bytes.size();
      if (faulty(link) && rng_.chance(stage_.scenario.network.split)) size = 1 + rng_.below(size);
      link.down_us = std::max(link.down_us, stage_.time.now_us() + delay_us(link)) + clogged_us(link);
      stage_.time.at(link.down_us, [this, conn, piece = std::string(bytes.substr(0, size))] { deliver(conn, piece); });
      bytes.remove_prefix(size);
    }
  }
  void close(core::ConnId conn) {
    Link& link = links_.at(conn);
    if (!std::exchange(link.server_open, false)) return;
    link.kernel.clear();
    link.down_us = std::max(link.down_us, stage_.time.now_us() + delay_us(link));
    stage_.time.at(link.down_us, [this, conn] {
      Link& closed = links_.at(conn);
      if (std::exchange(closed.client_open, false)) closed.client->lost(conn);
    });
  }

 private:
  struct Link {
    Client* client = nullptr;
    Caller caller;
    bool client_open = true, server_open = false, vanished = false;
    bool down_cut = false;  // what the server wrote last is lost
    bool fin = false;
    std::string kernel;  // arrived at the server, not yet read
    std::string held;    // written by the client, waits for more
    std::size_t unread = 0;
    std::int64_t up_us = 0, down_us = 0;  // when the last bytes of a direction arrive
  };
  bool faulty(const Link& link) const { return !stage_.quiet && !link.caller.faultless; }
  std::int64_t delay_us(const Link& link) {
    if (link.caller.faultless) return 1;
    const NetworkProfile& n = stage_.scenario.network;
    return n.latency_us + rng_.between(0, n.jitter_us);
  }
  std::int64_t clogged_us(const Link& link) {
    if (!faulty(link) || !rng_.chance(stage_.scenario.network.clog)) return 0;
    stage_.marks.hit("link_clogged");
    return rng_.between(kSecond, 20 * kSecond);
  }
  void knock(core::ConnId conn) {
    Link& link = links_.at(conn);
    if (!link.client_open) return;
    const bool listening = server_ != nullptr;
    if (listening) {
      link.server_open = true;
      const std::string peer = link.caller.kind == core::ConnectionKind::builtin
                                   ? link.caller.address
                                   : fmt::format("{}:{}", link.caller.address, 10000 + core::value(conn));
      server_->accepted(core::Opened{conn, link.caller.kind, link.caller.room, peer});
    }
    link.down_us = std::max(link.down_us, stage_.time.now_us());
    stage_.time.after(delay_us(link), [this, conn, listening] { answer(conn, listening); });
  }
  void answer(core::ConnId conn, bool accepted) {
    Link& link = links_.at(conn);
    if (!link.client_open) return;
    if (accepted) return link.client->connected(conn);
    link.client_open = false;
    link.client->lost(conn);
  }
  void up(core::ConnId conn, Link& link, std::string_view bytes) {
    if (std::ranges::count(bytes, '\n') > 1) stage_.marks.hit("lines_coalesced");
    while (!bytes.empty()) {
      std::size_t size = bytes.size();
      if (faulty(link) && rng_.chance(stage_.scenario.network.split)) size = 1 + rng_.below(size);
      if (size < bytes.size()) stage_.marks.hit("split_inside_line");
      link.up_us = std::max(link.up_us, stage_.time.now_us() + delay_us(link)) + clogged_us(link);
      stage_.time.at(link.up_us, [this, conn, piece = std::string(bytes.substr(0, size))] { arrive(conn, piece); });
      bytes.remove_prefix(size);
    }
  }
  void arrive(core::ConnId conn, const std::string& bytes) {
    Link& link = links_.at(conn);
    if (!link.server_open || link.vanished || server_ == nullptr) return;
    link.kernel += bytes;
    server_->readable(conn);
  }
  void deliver(core::ConnId conn, const std::string& bytes) {
    Link& link = links_.at(conn);
    if (link.client_open && link.caller.reads && !link.vanished && !link.down_cut) link.client->heard(conn, bytes);
  }
  void lose(core::ConnId conn, std::int64_t when_us) {
    stage_.time.at(when_us, [this, conn] {
      Link& link = links_.at(conn);
      link.client_open = false;
      link.client->lost(conn);
    });
  }
  void tell_server(core::ConnId conn, std::int64_t delay, std::string_view why) {
    stage_.time.after(delay, [this, conn, why] {
      Link& link = links_.at(conn);
      if (!link.server_open || server_ == nullptr) return;
      link.kernel.clear();
      link.server_open = false;
      server_->broken(conn, why);
    });
  }
  std::string corrupted(const Link& link, std::string_view bytes) {
    std::string result(bytes);
    const bool move = result.size() > 8 && (result[0] == '+' || result[0] == '-');
    if (move && link.caller.honest && stage_.strikes(Plant::corrupt_honest)) result[3] = '0';
    return result;
  }

  Stage& stage_;
  Rng rng_;
  ServerPort* server_ = nullptr;
  std::map<core::ConnId, Link> links_;
  std::uint64_t dialled_ = 0;
};

}  // namespace fuhyo::sim
