// The line of `fuhyo join` to its server, plain or under TLS. On one thread; nothing blocks but set_up().
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "server/app/join/options.h"

namespace fuhyo::app {

class ServerStream {
 public:
  using Done = std::function<void(boost::system::error_code error, std::size_t count)>;

  // `options` must outlive it.
  ServerStream(boost::asio::io_context& io, const JoinOptions& options);

  // Reads the authorities to believe. Once; the error names the file.
  std::expected<void, std::string> set_up();

  void renew();                                               // whatever was there before is closed
  boost::asio::ip::tcp::socket& socket() { return socket_; }  // to be connected
  // Once it is connected: TLS, if that is wanted. `done` hears why not, in words for people; empty: it stands.
  void greet(std::function<void(const std::string& why_not)> done);
  void read_some(boost::asio::mutable_buffer into, Done done);
  void write(boost::asio::const_buffer bytes, Done done);
  void close();

 private:
  using Tls = boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>;
  std::string not_the_one(Tls& tls) const;
  std::string refusal(Tls& tls, const boost::system::error_code& error) const;

  const JoinOptions& options_;
  boost::asio::io_context& io_;
  boost::asio::ip::tcp::socket socket_;
  std::optional<boost::asio::ssl::context> context_;
  std::shared_ptr<Tls> tls_;  // shared with what is under way over it
};

}  // namespace fuhyo::app
