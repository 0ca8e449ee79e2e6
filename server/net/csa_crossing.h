// CSA connections that another thread carries: a listener and its sockets there, sessions here. Lines are framed and
// stamped by the thread that reads them; they go to the core's thread, and what is to be written comes back, in two
// bounded queues of values.
// The functions belong to the core's thread, but for listener(). Promises: those of csa_listener.h; the core hears of a
// connection when it was accepted, before any handshake, so that its limits for strangers hold for peers that say
// nothing, too.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/core/limits.h"
#include "server/core/transport.h"
#include "server/net/csa_listener.h"

namespace boost::asio {
class io_context;
}

namespace fuhyo::net {

class CsaCrossing : public core::Transport {
 public:
  using Warn = std::function<void(std::string_view text)>;
  struct Hooks {
    std::function<void(std::function<void()>)> post_to_core;  // runs it on the core's thread; called from the other one
    Warn warn;                                                // called from the other one
  };

  // The other thread is the one that runs `io`, which outlives this object and does not run any more when it is
  // destroyed: connections end then without a word. `sink` must outlive it, too; its now() is called from there.
  CsaCrossing(boost::asio::io_context& io, core::InputSink& sink, const core::Limits& limits, std::string room,
              Hooks hooks, const CsaDeadlines& deadlines = {});
  ~CsaCrossing() override;

  CsaListener& listener();  // for the other thread, or before it runs

  // Ends every connection once its output is written.
  void close_all(std::string_view why);
  std::size_t connections() const;  // those that are being closed included

  void write(core::ConnId conn, std::string bytes) override;
  void when_written(core::ConnId conn, std::function<void()> done) override;
  void close(core::ConnId conn, std::string_view why) override;
  void read_pass(core::ConnId conn, std::uint64_t token) override;
  void limit_lines(core::ConnId conn, std::size_t bytes) override;
  void throttle(core::ConnId conn, bool paused) override;

 private:
  class Far;
  struct Near;

  std::shared_ptr<Near> near_;
  std::unique_ptr<Far> far_;
};

}  // namespace fuhyo::net
