#include "server/app/replay_connection.h"

#include <array>
#include <fmt/format.h>
#include <poll.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kLongestLine = 64 * 1024;  // far above anything that a server says

}  // namespace

std::expected<HostPort, std::string> parse_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) {
    return std::unexpected(fmt::format("'{}' is not HOST:PORT", text));
  }
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::unexpected(fmt::format("an IPv6 address stands in brackets: [{}]:{}", host, text.substr(colon + 1)));
  }
  return HostPort{std::string(host), std::string(text.substr(colon + 1))};
}

ReplayConnection::ReplayConnection(std::unique_ptr<asio::io_context> io, tcp::socket socket,
                                   std::chrono::milliseconds patience)
    : io_(std::move(io)), socket_(std::move(socket)), patience_(patience), framer_(kLongestLine) {}

std::expected<ReplayConnection, std::string> ReplayConnection::open(const HostPort& server,
                                                                    std::chrono::milliseconds patience) {
  auto io = std::make_unique<asio::io_context>();
  tcp::socket socket(*io);
  boost::system::error_code error;
  const auto addresses = tcp::resolver(*io).resolve(server.host, server.port, error);
  if (!error) asio::connect(socket, addresses, error);
  if (!error) socket.set_option(tcp::no_delay(true), error);
  if (error) return std::unexpected(fmt::format("cannot reach {}:{}: {}", server.host, server.port, error.message()));
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
