// One CSA socket, plain or under TLS: framing, writing, closing. On the thread of its listener; private to this room.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/core/limits.h"
#include "server/core/transport.h"
#include "server/csa/line_framer.h"
#include "server/net/csa_listener.h"
#include "server/net/tls_channel.h"
#include "server/net/tls_pair.h"
#include "server/net/web_socket.h"

namespace fuhyo::net {

class CsaConnection;

// What connections share: one read buffer is enough because reading, framing and delivering are one step.
struct CsaShared {
  core::InputSink& sink;
  const core::Limits limits;
  const CsaDeadlines deadlines;
  std::function<void(core::ConnId)> over;  // the socket is closed: the connection can be forgotten
  std::array<char, 64 * 1024> buffer;
  std::size_t lingering = 0;           // connections that only wait for their peers' end
  std::shared_ptr<const TlsPair> tls;  // for newcomers; null: they speak in the clear
  // TLS: the peer has said something; shake_hands() is to be called when it is its turn.
  std::function<void(std::shared_ptr<CsaConnection>)> queue_handshake;
};

class CsaConnection : public std::enable_shared_from_this<CsaConnection> {
 public:
  CsaConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<CsaShared> shared);
  // One that speaks by the frames of a WebSocket, after their handshake and, where `tls` is not null, that of TLS.
  CsaConnection(boost::asio::ip::tcp::socket socket, std::unique_ptr<TlsChannel> tls,
                std::shared_ptr<CsaShared> shared);

  void start(core::ConnId id);        // after Opened was delivered
  void take(std::string_view bytes);  // as if they had been read
  void write(std::string bytes);
  void close();
  void read_pass(std::uint64_t token);
  void limit_lines(std::size_t bytes) { framer_.set_limit(bytes); }
  void throttle(bool paused);
  void shake_hands();
  void give_up(std::string_view why);  // at once; reports Closed
  void abort();                        // at once, without a word to anybody

 private:
  enum class State : std::uint8_t {
    greeting,  // TLS: the handshake is not over
    open,
    closing,    // what is queued is still to be written
    lingering,  // nothing is left to say: waits for the peer's end, so that no reset eats our last lines
    over,
  };

  void configure();
  void arm_read();
  void on_readable();
  // What was read and delivered; nothing if that was the end of the connection, 0 if there is nothing to read.
  std::optional<std::size_t> read_once(std::span<char> buffer);
  std::size_t read_some(std::span<char> buffer, boost::system::error_code& error);
  std::size_t write_some(boost::system::error_code& error);
  void take_frames(std::string_view bytes, core::Instant arrived);
  void take_lines(std::string_view bytes, core::Instant arrived);
  void on_writable();
  void queue(std::string bytes);
  void send_queued();
  void arm_write();
  void linger();
  bool say_goodbye();
  void give_up_later(std::chrono::milliseconds time, std::string_view why);
  std::string reason(const boost::system::error_code& error) const;
  void report(std::string_view why);

  boost::asio::ip::tcp::socket socket_;
  std::shared_ptr<CsaShared> shared_;
  csa::LineFramer framer_;
  std::string out_;
  std::size_t longest_ = 0;                              // message since out_ was empty
  std::unique_ptr<TlsChannel> tls_;                      // from the first byte of a handshake on
  std::unique_ptr<WebSocket> web_;                       // null: lines come as they are
  std::unique_ptr<boost::asio::steady_timer> deadline_;  // only while greeting and closing: most need none
  core::ConnId id_{};
  State state_;
  bool paused_ = false, reading_ = false, writing_ = false, reported_ = false, deaf_ = false;
  bool close_later_ = false;  // TLS: when what was written has left, after the handshake
};

}  // namespace fuhyo::net
