#include "server/net/endpoint.h"

#include <fmt/format.h>

#include <boost/asio/ip/v6_only.hpp>

#include "engines/shogi/number.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr int kBacklog = 4096;  // the kernel cuts it to net.core.somaxconn

std::string malformed(std::string_view text, std::string_view why) {
  return fmt::format("'{}' is no address (HOST:PORT, for IPv6 [HOST]:PORT): {}", text, why);
}

}  // namespace

std::expected<HostPort, std::string> parse_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::unexpected(malformed(text, "there is no port"));
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::unexpected(malformed(text, "an IPv6 address needs brackets"));
  }
  if (host.empty()) return std::unexpected(malformed(text, "there is no host"));
  const auto number = shogi::number_of<decltype(HostPort::port)>(port);
  if (!number) return std::unexpected(malformed(text, "the port is no number from 0 to 65535"));
  return HostPort{.host = std::string(host), .port = *number};
}

std::expected<std::vector<tcp::endpoint>, std::string> resolve(std::string_view text) {
  const auto address = parse_host_port(text);
  if (!address) return std::unexpected(address.error());
  asio::io_context io;
  boost::system::error_code error;
  std::vector<tcp::endpoint> endpoints;
  for (const auto& entry : tcp::resolver(io).resolve(address->host, std::to_string(address->port), error)) {
    endpoints.push_back(entry.endpoint());
  }
  if (error || endpoints.empty()) {
    return std::unexpected(fmt::format("cannot find the host of '{}': {}", text, error.message()));
  }
  return endpoints;
}

asio::ip::address unmapped(const asio::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
}

std::string to_string(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", host, endpoint.port())
                                    : fmt::format("{}:{}", host, endpoint.port());
}

std::expected<tcp::acceptor, std::string> listen(asio::io_context& io, const tcp::endpoint& endpoint) {
  boost::system::error_code error;
  tcp::acceptor acceptor(io);
  const auto then = [&](auto&& step) {
    if (!error) step();
  };
  then([&] { acceptor.open(endpoint.protocol(), error); });
  then([&] { acceptor.set_option(tcp::acceptor::reuse_address(true), error); });
  if (endpoint.protocol() == tcp::v6()) then([&] { acceptor.set_option(asio::ip::v6_only(true), error); });
  then([&] { acceptor.bind(endpoint, error); });
  then([&] { acceptor.listen(kBacklog, error); });
  then([&] { acceptor.non_blocking(true, error); });
  if (error) return std::unexpected(fmt::format("cannot listen on {}: {}", to_string(endpoint), error.message()));
  return acceptor;
}

}  // namespace fuhyo::net
