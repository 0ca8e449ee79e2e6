// What the program around the core does, under virtual time: reads sockets, frames lines, stamps arrivals, feeds the
// core, carries its effects out. One object is one life of the server's process; stop() is kill -9.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/outbox.h"
#include "server/core/server.h"
#include "server/csa/line_framer.h"
#include "tests/sim/auditor.h"
#include "tests/sim/network.h"
#include "tests/sim/saboteur.h"
#include "tests/sim/stage.h"
#include "tests/sim/store.h"

namespace fuhyo::sim {

class Shell final : public ServerPort {
 public:
  Shell(Stage& stage, Network& network, Store& store, Auditor& auditor, std::uint64_t boot);

  void begin();  // begins to listen
  void stop();   // nothing happens any more
  void drain() { hear(core::Drain{}); }
  void end() { hear(core::Stop{}); }
  void rate(std::shared_ptr<const core::PlayerRatings> ratings) { hear(core::RatingsChanged{std::move(ratings)}); }
  void obey(core::AdminLine command) { hear(std::move(command)); }

  bool drained() const { return drained_; }
  const core::Server& server() const { return server_; }

  void accepted(const core::Opened& opened) override;
  void readable(core::ConnId conn) override;
  void broken(core::ConnId conn, std::string_view why) override;

 private:
  struct Conn {
    explicit Conn(std::size_t limit) : framer(limit) {}
    csa::LineFramer framer;
    bool open = true, paused = false, deaf = false, late = false;  // deaf: nothing more is read from it
    bool remote = false;              // its reader is another thread (TLS): lines come through a queue
    std::int64_t handed_over_us = 0;  // when the last line of a remote reader reaches the core
  };

  void hear(core::Input input);                // queues it for the core
  void hand_over(Conn& c, core::Input input);  // from the connection's reader
  void turn();
  void handle(const core::Input& input);
  void carry_out(const core::Effects& effects);
  void carry_out(const core::Effect& effect, core::Step& step);
  void flush();
  void push(const core::Send& send);
  void write(const core::Outbox::Ready& ready);
  void read(core::ConnId conn, Conn& c);
  void read_pass(const core::ReadPass& pass);
  void set_timer(core::Instant when);
  Conn* open_conn(core::ConnId conn);
  void end(core::ConnId conn, std::string_view why);
  // Runs it later, unless this life of the server is over by then.
  template <class Action>
  void later(std::int64_t delay_us, Action action);

  Stage& stage_;
  Network& network_;
  Store& store_;
  Auditor& auditor_;
  Rng rng_;
  Saboteur saboteur_;
  core::Server server_;
  core::Outbox outbox_;
  std::map<core::ConnId, Conn> conns_;
  std::deque<core::Input> queue_;
  std::map<core::ConnId, std::string> overtaken_;          // for the plant that lets lines overtake
  std::uint64_t timer_ = 0;                                // of the newest WakeAt
  std::int64_t frozen_from_us_ = 0, frozen_until_us_ = 0;  // the process stands still
  bool turn_due_ = false, stopped_ = false, drained_ = false;
};

}  // namespace fuhyo::sim
