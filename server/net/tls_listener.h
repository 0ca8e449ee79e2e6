// CSA players over TLS, on a thread of their own: a handshake costs up to a millisecond, and the core's thread has none
// to give. The functions belong to the core's thread; csa_crossing.h has what is promised of connections.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "server/core/limits.h"
#include "server/core/transport.h"
#include "server/net/csa_crossing.h"
#include "server/net/tls_pair.h"

namespace fuhyo::net {

// A base, because it is there before the connections, and after them.
class CsaThread {
 protected:
  boost::asio::io_context io_{1};
  std::thread thread_;
};

class TlsListener final : private CsaThread, public CsaCrossing {
 public:
  TlsListener(core::InputSink& sink, const core::Limits& limits, std::string room, std::shared_ptr<const TlsPair> pair,
              Hooks hooks, const CsaDeadlines& deadlines = {});
  ~TlsListener() override;

  // Before start(): binds every address of "HOST:PORT" (port 0: a free one) and returns them as they are.
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address);
  void expect_proxy_header(std::function<bool(std::string_view address)> from);  // before listen(), as csa_listener.h
  void start();

  // For handshakes to come.
  void use(std::shared_ptr<const TlsPair> pair);
  void stop_accepting();
};

}  // namespace fuhyo::net
