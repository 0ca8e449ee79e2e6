// One CSA socket: framing, writing, closing. On the core's thread; private to this room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/core/door.h"
#include "server/core/limits.h"
#include "server/csa/line_framer.h"

namespace fuhyo::net {

// What connections share: one read buffer is enough because reading, framing and delivering are one step.
struct CsaShared {
  core::Intake& intake;
  const core::Limits limits;
  std::function<void(core::ConnId)> over;  // the socket is closed: the connection can be forgotten
  std::array<char, 64 * 1024> buffer;
};

class CsaConnection : public std::enable_shared_from_this<CsaConnection> {
 public:
  CsaConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<CsaShared> shared);

  void start(core::ConnId id);  // after Opened was delivered
  void write(std::string bytes);
  void close();
  void read_pass(std::uint64_t token);
  void limit_lines(std::size_t bytes) { framer_.set_limit(bytes); }
  void throttle(bool paused);
  void abort();  // at once, without a word to anybody

 private:
  enum class State : std::uint8_t {
    open,
    closing,    // what is queued is still to be written
    lingering,  // nothing is left to say: waits for the peer's end, so that no reset eats our last lines
    over,
  };
  enum class Read : std::uint8_t { some, nothing, ended };

  void configure();
  void arm_read();
  void on_readable();
  Read read_once(char* buffer, std::size_t size);
  void take(std::string_view bytes);
  void send_queued();
  void arm_write();
  void linger();
  void give_up_later(std::int64_t us);
  void gone(std::string_view why);  // reports Closed, closes the socket
  void report(std::string_view why);

  boost::asio::ip::tcp::socket socket_;
  std::shared_ptr<CsaShared> shared_;
  csa::LineFramer framer_;
  std::string out_;
  std::unique_ptr<boost::asio::steady_timer> deadline_;  // only while closing: most connections need none
  core::ConnId id_{};
  State state_ = State::open;
  bool paused_ = false, reading_ = false, writing_ = false, reported_ = false, deaf_ = false;
};

}  // namespace fuhyo::net
