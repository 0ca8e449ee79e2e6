#include "server/net/proxy_header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>

#include "server/net/endpoint.h"

namespace fuhyo::net {
namespace {

namespace ip = boost::asio::ip;

// A line of version 1 with its end; a header of version 2 with what proxies add.
constexpr std::size_t kLongestLine = 107, kLongest = 536;
constexpr std::string_view kLineBegins = "PROXY ", kSignature("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t kFixed = 16;  // bytes of version 2 before the addresses
enum : std::uint8_t { kLocal = 0x20, kProxied = 0x21, kTcp4 = 0x11, kTcp6 = 0x21 };

std::uint8_t byte_at(std::string_view bytes, std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); }

std::uint16_t number_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(byte_at(bytes, at) << 8 | byte_at(bytes, at + 1));
}

// Both addresses, then both ports; only the source is of interest.
template <class Address>
ip::tcp::endpoint source_of(std::string_view addresses) {
  typename Address::bytes_type bytes{};
  std::ranges::transform(addresses.substr(0, bytes.size()), bytes.begin(),
                         [](char c) { return static_cast<std::uint8_t>(c); });
  return {unmapped(Address(bytes)), number_at(addresses, 2 * bytes.size())};
}

}  // namespace

bool ProxyHeader::take(std::string_view bytes) {
  bytes_ += bytes;
  wanted_ -= bytes.size();
  if (wanted_ > 0) return true;
  if (bytes_.starts_with(kSignature)) return take_binary();
  if (!bytes_.starts_with(kLineBegins) || bytes_.size() > kLongestLine) return false;
  if (bytes_.ends_with("\r\n"))
    return whole(std::string_view(bytes_).substr(kLineBegins.size(), bytes_.size() - kLineBegins.size() - 2));
  wanted_ = 1;
  return true;
}

// TCP4 SOURCE DESTINATION PORT PORT
bool ProxyHeader::whole(std::string_view line) {
  if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) return true;
  std::istringstream words{std::string(line)};
  std::string kind, source, destination, port, to_port, more;
  if (!(words >> kind >> source >> destination >> port >> to_port) || words >> more) return false;
  const auto from = parse_host_port(kind == "TCP6" ? "[" + source + "]:" + port : source + ":" + port);
  boost::system::error_code error;
  const auto address = ip::make_address(source, error);
  if (!from || error || kind != (address.is_v6() ? "TCP6" : "TCP4")) return false;
  source_ = ip::tcp::endpoint(unmapped(address), from->port);
  return true;
}

bool ProxyHeader::take_binary() {
  if (bytes_.size() < kFixed) {
    wanted_ = kFixed - bytes_.size();
    return true;
  }
  const std::size_t length = number_at(bytes_, kFixed - 2);
  if (kFixed + length > kLongest) return false;
  if (bytes_.size() < kFixed + length) {
    wanted_ = length;
    return true;
  }
  const std::uint8_t command = byte_at(bytes_, 12), kind = byte_at(bytes_, 13);
  if (command != kProxied) return command == kLocal;
  const std::string_view addresses = std::string_view(bytes_).substr(kFixed);
  if (kind == kTcp4 && length >= 12) source_ = source_of<ip::address_v4>(addresses);
  if (kind == kTcp6 && length >= 36) source_ = source_of<ip::address_v6>(addresses);
  return source_.has_value() || (kind != kTcp4 && kind != kTcp6);
}

}  // namespace fuhyo::net
