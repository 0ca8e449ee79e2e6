// The network between clients and the server: streams of bytes that arrive late and in pieces, connections that are
// reset, and machines that vanish without a word. One thread, virtual time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "server/core/effects.h"
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
  void crash();  // the server's process is gone

  // ---- the client's side ----
  struct Caller {
    core::Door door = core::Door::csa;
    std::string room = "main";
    std::string address;
    bool faultless = false;  // a pipe within the server's machine
    bool reads = true;       // never takes anything out of its socket otherwise
    bool honest = false;     // for the plant that harms honest players
  };
  core::ConnId dial(Client& client, const Caller& caller);
  void send(core::ConnId conn, std::string_view bytes);
  void hang_up(core::ConnId conn);  // FIN after everything sent
  void reset(core::ConnId conn);    // RST, what is on its way is lost
  void vanish(core::ConnId conn);   // half-open: the server is not told
  void stop_reading(core::ConnId conn) { links_.at(conn).caller.reads = false; }

  // ---- the server's side ----
  std::string take(core::ConnId conn, std::size_t most);  // what has arrived
  bool ended(core::ConnId conn) const;                    // nothing more will arrive
  std::size_t unsent(core::ConnId conn) const;            // written, but not taken by the client
  void write(core::ConnId conn, std::string_view bytes);
  void close(core::ConnId conn);

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
  std::int64_t delay_us(const Link& link);
  std::int64_t clogged_us(const Link& link);
  void knock(core::ConnId conn);
  void answer(core::ConnId conn, bool accepted);
  void up(core::ConnId conn, Link& link, std::string_view bytes);
  void arrive(core::ConnId conn, const std::string& bytes);
  void deliver(core::ConnId conn, const std::string& bytes);
  void lose(core::ConnId conn, std::int64_t when_us);
  void tell_server(core::ConnId conn, std::int64_t delay, std::string_view why);
  std::string corrupted(const Link& link, std::string_view bytes);

  Stage& stage_;
  Rng rng_;
  ServerPort* server_ = nullptr;
  std::map<core::ConnId, Link> links_;
  std::uint64_t dialled_ = 0;
};

}  // namespace fuhyo::sim
