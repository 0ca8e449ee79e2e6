// Plain TCP with CSA players: listening sockets and their connections, all on the core's thread. Bytes become
// core::Lines stamped right after the read; what the core sends leaves in one write a turn of the event loop.
// Promises: nothing blocks; a connection at rest costs a few hundred bytes; a peer that stops reading is given up at
// Limits::output_bytes; running out of file descriptors stops accepting for a while and nothing else.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/door.h"
#include "server/core/limits.h"

namespace boost::asio {
class io_context;
}

namespace fuhyo::net {

class CsaListener final : public core::Doorway {
 public:
  using Warn = std::function<void(std::string_view text)>;

  // `room` is where players who come in here are seated. `io` is run by the core's thread alone.
  CsaListener(boost::asio::io_context& io, core::Intake& intake, const core::Limits& limits, std::string room,
              Warn warn);
  ~CsaListener() override;

  // Binds every address of "HOST:PORT" (port 0: a free one) and returns them as they are. Players may come at once.
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address);
  void stop_accepting();
  // Ends every connection once its output is written.
  void close_all(std::string_view why);
  std::size_t connections() const;  // those that are being closed included

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
