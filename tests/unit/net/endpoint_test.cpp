// Addresses as people write them.
#include "server/net/endpoint.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace fuhyo::net {
namespace {

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

}  // namespace
}  // namespace fuhyo::net
