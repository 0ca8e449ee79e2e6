// CSA players on sockets: listening ones and their connections, all on the thread that runs `io`: the core's for plain
// TCP, one of its own under TLS (tls_listener.h). Bytes become core::Lines stamped right after the read; what the core
// sends leaves in one write a turn of the event loop.
// Promises: nothing blocks; a connection at rest costs a few hundred bytes; a peer that stops reading is given up at
// Limits::output_bytes; running out of file descriptors stops accepting for a while and nothing else.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

#include "server/core/limits.h"
#include "server/core/transport.h"

namespace boost::asio {
class io_context;
}

namespace fuhyo::net {

class TlsChannel;
class TlsPair;

// Connections of a listener that were closed, and wait for their peers' end so that no reset eats their last
// lines: so many at a time. One more is closed at once.
inline constexpr std::size_t kMostLingering = 1024;
// Connections of a proxy that has not said yet whose they are. One more is closed at once.
inline constexpr std::size_t kMostAnnounced = 1024;

// How long is waited for a peer, and for a machine that has run short of descriptors.
struct CsaDeadlines {
  // Of a proxy's header, and of TLS from the first packet on: two round trips and a signature.
  std::chrono::milliseconds handshake{5'000};
  std::chrono::milliseconds flush{5'000};   // for a closing connection to read its last lines
  std::chrono::milliseconds linger{2'000};  // ... and then for its peer to close its own side
  std::chrono::milliseconds retry{500};     // until newcomers are accepted again
};

class CsaListener final : public core::Transport {
 public:
  using Warn = std::function<void(std::string_view text)>;

  // `room` is where players who come in here are seated. One thread alone runs `io`.
  CsaListener(boost::asio::io_context& io, core::InputSink& sink, const core::Limits& limits, std::string room,
              Warn warn, const CsaDeadlines& deadlines = {});
  ~CsaListener() override;

  // Binds every address of "HOST:PORT" (port 0: a free one) and returns them as they are. Players may come at once.
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address);
  // Before listen(): connections from such addresses begin with a header of the PROXY protocol (version 1 or 2), and
  // come from where it says. Without one they are closed.
  void expect_proxy_header(std::function<bool(std::string_view address)> from);
  // A connection that a WebSocket's handshake was made on, and TLS's where `tls` is not null: `peer` as in Opened.
  // `secure`: nobody between here and the browser can read along. `begun`: what has come of its frames already.
  void adopt(boost::asio::ip::tcp::socket socket, std::unique_ptr<TlsChannel> tls, std::string peer, bool secure,
             std::string_view begun);
  void stop_accepting();
  // Ends every connection once its output is written.
  void close_all(std::string_view why);
  std::size_t connections() const;  // those that are being closed included; any thread

  // Newcomers have to speak TLS from now on, with this certificate; those who are there go on with theirs. At most one
  // handshake is carried on a turn of the event loop, so that a storm of them delays a player by one signature.
  void use(std::shared_ptr<const TlsPair> pair);
  // Ends the connection at once.
  void give_up(core::ConnId conn, std::string_view why);

  void write(core::ConnId conn, std::string bytes) override;
  void close(core::ConnId conn, std::string_view why) override;
  void read_pass(core::ConnId conn, std::uint64_t token) override;
  void limit_lines(core::ConnId conn, std::size_t bytes) override;
  void throttle(core::ConnId conn, bool paused) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace fuhyo::net
