#include "server/app/replay/connection.h"

#include <array>
#include <fmt/format.h>
#include <poll.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>

#include "server/net/endpoint.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kLongestLine = 64 * 1024;  // far above anything that a server says

}  // namespace

ReplayConnection::ReplayConnection(std::unique_ptr<asio::io_context> io, tcp::socket socket,
                                   std::chrono::milliseconds patience)
    : io_(std::move(io)), socket_(std::move(socket)), patience_(patience), framer_(kLongestLine) {}

std::expected<ReplayConnection, std::string> ReplayConnection::open(const ServerAddresses& server,
                                                                    std::chrono::milliseconds patience) {
  auto io = std::make_unique<asio::io_context>();
  tcp::socket socket(*io);
  boost::system::error_code error;
  asio::connect(socket, server, error);
  if (!error) socket.set_option(tcp::no_delay(true), error);
  if (error)
    return std::unexpected(fmt::format("cannot reach {}: {}", net::to_string(server.front()), error.message()));
  return ReplayConnection(std::move(io), std::move(socket), patience);
}

void ReplayConnection::send(std::string_view line) {
  boost::system::error_code error;
  asio::write(socket_, asio::buffer(fmt::format("{}\n", line)), error);
}

std::expected<std::string, std::string> ReplayConnection::line() {
  while (lines_.empty()) {
    if (auto received = receive(); !received) return std::unexpected(received.error());
  }
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

std::expected<void, std::string> ReplayConnection::receive() {
  pollfd wanted{.fd = socket_.native_handle(), .events = POLLIN, .revents = 0};
  if (::poll(&wanted, 1, static_cast<int>(patience_.count())) <= 0) {
    return std::unexpected(fmt::format("the server said nothing for {} s", patience_.count() / 1000));
  }
  std::array<char, 4096> bytes;
  boost::system::error_code error;
  const std::size_t count = socket_.read_some(asio::buffer(bytes), error);
  if (error) return std::unexpected("the server closed the connection");
  framer_.feed({bytes.data(), count}, [this](std::string_view line, bool) { lines_.emplace_back(line); });
  if (framer_.overlong()) return std::unexpected("the server sent a line without an end");
  return {};
}

}  // namespace fuhyo::app
