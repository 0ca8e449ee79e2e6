// A line to a server that is kept: looked up, connected in time, under TLS if that is wanted, cut into lines, written
// in order, and connected again later. What a loss means is up to its user. On one thread; nothing blocks but set_up().
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/join/options.h"
#include "server/app/join/server_stream.h"
#include "server/csa/line_framer.h"

namespace fuhyo::app {

class ServerWire {
 public:
  struct Limits {
    std::size_t line;    // bytes of a line of the server's, without its end
    std::size_t unsent;  // bytes behind those under way: a server that has not taken so much is not there any more
    std::chrono::milliseconds connect;                     // from the look-up to the end of the handshake
    std::chrono::milliseconds first_delay, longest_delay;  // of connect_again()
  };

  // All may call the wire. None comes from within a call, but `lost` from within write() and drop(); none after stop().
  struct Events {
    std::function<void()> connected;
    std::function<void(std::string_view line)> line;
    std::function<void()> read;  // the lines that came together were told
    // It was connected, or never came to be; in words for people.
    std::function<void(const std::string& why, bool was_online)> lost;
    std::function<void()> sent;  // nothing is being written any more, whether it arrived or not
  };

  // `options` must outlive it.
  ServerWire(boost::asio::io_context& io, const JoinOptions& options, const Limits& limits, Events events);

  // Reads the authorities to believe. Once, before all else; the error names the file.
  std::expected<void, std::string> set_up() { return stream_.set_up(); }

  void connect();
  // The last bytes of the former connection come first. In place of what was to happen later so far.
  void connect_in(std::chrono::milliseconds delay);
  // ... after a time that doubles with every call. Returns it.
  std::chrono::milliseconds connect_again();
  void went_well() { delay_ = limits_.first_delay; }  // the next connect_again() is a first one

  // A line without its end. Nothing, if it is not online.
  void write(std::string_view line);
  void hang_up();                     // nothing is read any more, and it is closed after what is queued was written
  void drop(const std::string& why);  // closed at once, and `lost`
  void stop();                        // closed for ever, without a word

  bool online() const { return online_; }
  bool sending() const { return !sending_.empty(); }

 private:
  void on_resolved(boost::system::error_code error, const boost::asio::ip::tcp::resolver::results_type& endpoints);
  void on_connected(boost::system::error_code error);
  void on_greeted(const std::string& why_not);
  void read();
  std::string why_lost(const boost::system::error_code& error) const;
  void send_queued();

  const JoinOptions& options_;
  const Limits limits_;
  const Events events_;
  boost::asio::ip::tcp::resolver resolver_;
  ServerStream stream_;
  boost::asio::steady_timer timer_;  // of a connection under way, or of the next one

  csa::LineFramer framer_;
  std::array<char, 16 * 1024> buffer_{};
  std::string unsent_, sending_;
  bool online_ = false, closing_ = false, stopped_ = false;
  bool late_ = false;   // the time for connecting is over
  bool heard_ = false;  // anything over this connection
  std::chrono::milliseconds delay_;
};

}  // namespace fuhyo::app
