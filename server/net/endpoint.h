// Addresses as people write them: "127.0.0.1:4081", "[::1]:4081", "localhost:0". Any thread; resolving a host name may
// block and belongs to start-up.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

namespace fuhyo::net {

struct HostPort {
  std::string host;  // without brackets
  std::uint16_t port = 0;
};
std::expected<HostPort, std::string> parse_host_port(std::string_view text);

// Every address of the host. Never empty.
std::expected<std::vector<boost::asio::ip::tcp::endpoint>, std::string> resolve(std::string_view text);

std::string to_string(const boost::asio::ip::tcp::endpoint& endpoint);

// "::ffff:192.0.2.7", as what listens on both kinds of addresses may say it, is 192.0.2.7.
boost::asio::ip::address unmapped(const boost::asio::ip::address& address);

// A listening socket: non-blocking, IPv6 without IPv4 (listen on both by name), a backlog for a whole event's logins.
std::expected<boost::asio::ip::tcp::acceptor, std::string> listen(boost::asio::io_context& io,
                                                                  const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace fuhyo::net
