// CSA players over TLS, on a thread of their own: a handshake costs up to a millisecond, and the core's thread has none
// to give. Lines are framed and stamped by the thread that reads them; they go to the core's thread, and what is to be
// written comes back, in two bounded queues of values.
// The functions belong to the core's thread. Promises: those of csa_listener.h; the core hears of a connection when it
// was accepted, before any handshake, so that its limits for strangers hold for peers that say nothing, too.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/limits.h"
#include "server/core/transport.h"
#include "server/net/csa_listener.h"
#include "server/net/tls_pair.h"

namespace fuhyo::net {

class TlsListener final : public core::Transport {
 public:
  struct Hooks {
    std::function<void(std::function<void()>)> post_to_core;  // runs it on the core's thread; called from the other one
    std::function<void(std::string_view text)> warn;          // called from the other one
  };

  // `sink` must outlive the listener; its now() is called from the other thread.
  TlsListener(core::InputSink& sink, const core::Limits& limits, std::string room, std::shared_ptr<const TlsPair> pair,
              Hooks hooks, const CsaDeadlines& deadlines = {});
  // Ends the connections at once; what is left of them is not reported any more.
  ~TlsListener() override;

  // Before start(): binds every address of "HOST:PORT" (port 0: a free one) and returns them as they are.
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address);
  void expect_proxy_header(std::function<bool(std::string_view address)> from);  // before listen(), as csa_listener.h
  void start();

  // For handshakes to come.
  void use(std::shared_ptr<const TlsPair> pair);
  void stop_accepting();
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
