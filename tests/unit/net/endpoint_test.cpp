// Addresses: as people write them, and as proxies say them before a connection, in both versions.
#include "server/net/endpoint.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>

#include "server/net/proxy_header.h"

namespace fuhyo::net {
namespace {

using namespace std::string_literals;

TEST(HostPort, TakesNamesAndBothKindsOfAddresses) {
  EXPECT_EQ(parse_host_port("127.0.0.1:4081")->host, "127.0.0.1");
  EXPECT_EQ(parse_host_port("127.0.0.1:4081")->port, 4081);
  EXPECT_EQ(parse_host_port("[::1]:0")->host, "::1");
  EXPECT_EQ(parse_host_port("localhost:65535")->port, 65535);
}

TEST(HostPort, SaysWhatIsWrong) {
  for (const char* bad : {"", "4081", "127.0.0.1", ":4081", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "h:80x",
                          "::1:4081", "[]:1"}) {
    const auto parsed = parse_host_port(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_NE(parsed.error().find("HOST:PORT"), std::string::npos) << parsed.error();
  }
}

TEST(Resolve, AnAddressIsItself) {
  const auto endpoints = resolve("[::1]:99");
  ASSERT_TRUE(endpoints);
  EXPECT_EQ(to_string(endpoints->front()), "[::1]:99");
}

TEST(Listen, ATakenPortIsAnErrorThatNamesTheAddress) {
  boost::asio::io_context io;
  const auto first = listen(io, resolve("127.0.0.1:0")->front());
  ASSERT_TRUE(first);
  const auto second = listen(io, first->local_endpoint());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().find(to_string(first->local_endpoint())), std::string::npos) << second.error();
}

// ---- what proxies say ----

// As it comes over a wire, so many bytes a read. What it says; "-": of itself; nothing: no such header. What follows is
// left in `bytes`.
std::optional<std::string> said(std::string& bytes, std::size_t step = 1000) {
  ProxyHeader header;
  while (header.wanted() > 0) {
    const std::string some = bytes.substr(0, std::min(header.wanted(), step));
    if (some.empty() || !header.take(some)) return std::nullopt;
    bytes.erase(0, some.size());
  }
  return header.source() ? to_string(*header.source()) : "-";
}

std::string binary(char command, char kind, const std::string& rest) {
  const auto length = static_cast<unsigned>(rest.size());
  return "\r\n\r\n\0\r\nQUIT\n"s + command + kind + static_cast<char>(length >> 8) + static_cast<char>(length) + rest;
}

const std::string kTcp4 = "\xC0\x00\x02\x07\xC0\x00\x02\x01\x12\x67\x0F\xF1"s;
const std::string kTcp6 = "\x20\x01\x0D\xB8"s + std::string(11, 0) + "\x07" + std::string(16, 1) + "\x12\x67\x0F\xF1";
const std::string kMapped = std::string(10, 0) + "\xFF\xFF\xC0\x00\x02\x07"s + std::string(16, 1) + "\x12\x67\x0F\xF1";

TEST(ProxyHeader, SaysWhoComes) {
  const struct {
    std::string header, source;
  } cases[] = {
      {"PROXY TCP4 192.0.2.7 192.0.2.1 4711 4081\r\n", "192.0.2.7:4711"},
      {"PROXY TCP6 2001:db8::7 2001:db8::1 4711 4081\r\n", "[2001:db8::7]:4711"},
      {"PROXY TCP6 ::ffff:192.0.2.7 ::1 4711 4081\r\n", "192.0.2.7:4711"},
      {"PROXY UNKNOWN\r\n", "-"},
      {"PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n", "-"},
      {binary('\x21', '\x11', kTcp4), "192.0.2.7:4711"},
      {binary('\x21', '\x11', kTcp4 + "\x04\x00\x01\x00"s), "192.0.2.7:4711"},  // with what a proxy adds
      {binary('\x21', '\x21', kTcp6), "[2001:db8::7]:4711"},
      {binary('\x21', '\x21', kMapped), "192.0.2.7:4711"},
      {binary('\x20', '\0', ""), "-"},  // a check of the proxy's own
      {binary('\x20', '\x11', kTcp4), "-"},
      {binary('\x21', '\0', ""), "-"},
      {binary('\x21', '\x31', std::string(216, 'x')), "-"},  // a socket of a file
      {binary('\x21', '\x11', kTcp4 + std::string(508, 'x')), "192.0.2.7:4711"},
  };
  for (const auto& [header, source] : cases) {
    for (const std::size_t step : {1UZ, 7UZ, 1000UZ}) {
      std::string bytes = header + "LOGIN\n";
      EXPECT_EQ(said(bytes, step), source) << header;
      EXPECT_EQ(bytes, "LOGIN\n") << header;
    }
  }
}

TEST(ProxyHeader, NothingElseIsOne) {
  for (const std::string& header :
       {"LOGIN alice secret x1\n"s, "PROXY TCP4 192.0.2.7\r\n"s, "PROXY TCP4 192.0.2.7 192.0.2.1 4711 4081 1\r\n"s,
        "PROXY TCP4 2001:db8::7 2001:db8::1 4711 4081\r\n"s, "PROXY TCP6 192.0.2.7 192.0.2.1 4711 4081\r\n"s,
        "PROXY TCP4 192.0.2.7 192.0.2.1 70000 4081\r\n"s, "PROXY TCP4 alice.example 192.0.2.1 4711 4081\r\n"s,
        "PROXY UDP4 192.0.2.7 192.0.2.1 4711 4081\r\n"s, "PROXY UNKNOWN" + std::string(95, ' ') + "\r\n",
        binary('\x22', '\x11', kTcp4), binary('\x11', '\x11', kTcp4), binary('\x21', '\x11', kTcp4.substr(1)),
        binary('\x21', '\x21', kTcp4), binary('\x21', '\x11', kTcp4 + std::string(509, 'x'))}) {
    std::string bytes = header + "LOGIN bob secret x1\n";
    EXPECT_EQ(said(bytes), std::nullopt) << header;
  }
}

}  // namespace
}  // namespace fuhyo::net
