// A CSA connection for scripts: sends lines, waits for lines. Blocking; one thread per object.
#pragma once

#include <chrono>
#include <deque>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "server/csa/line_framer.h"

namespace fuhyo::app {

using ServerAddresses = std::vector<boost::asio::ip::tcp::endpoint>;

class ReplayConnection {
 public:
  // Connects to the first of the addresses that answers.
  static std::expected<ReplayConnection, std::string> open(const ServerAddresses& server,
                                                           std::chrono::milliseconds patience);

  // Failures to send show as failures to receive.
  void send(std::string_view line);
  // The next line without its line end. Fails when the server closes or says nothing for the patience given.
  std::expected<std::string, std::string> line();

 private:
  ReplayConnection(std::unique_ptr<boost::asio::io_context> io, boost::asio::ip::tcp::socket socket,
                   std::chrono::milliseconds patience);
  std::expected<void, std::string> receive();

  std::unique_ptr<boost::asio::io_context> io_;  // outlives the socket
  boost::asio::ip::tcp::socket socket_;
  std::chrono::milliseconds patience_;
  csa::LineFramer framer_;
  std::deque<std::string> lines_;
};

}  // namespace fuhyo::app
