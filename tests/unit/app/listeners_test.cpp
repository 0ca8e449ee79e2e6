// The ports of a node, without the node.
#include "server/app/serve/listeners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/commands.h"
#include "server/net/endpoint.h"

namespace fuhyo::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct NoPlayers : core::InputSink {
  core::ConnId open(core::Transport&, core::ConnectionKind, std::string, std::string, bool) override { return {}; }
  void deliver(core::Input) override {}
  core::Instant now() const override { return {}; }
};

struct ListenersTest : testing::Test {
  Log log{"error", "text"};
  boost::asio::io_context io;
  NoPlayers players;
  ServeConfig config;
  Listeners listeners{config, log, io, &players};
};

TEST_F(ListenersTest, SayWhereTheyListenPortByPort) {
  config.csa = {"127.0.0.1:0", "127.0.0.1:0"};
  config.http = {"127.0.0.1:0"};
  ASSERT_TRUE(listeners.check());
  EXPECT_TRUE(listeners.bound().empty());
  ASSERT_TRUE(listeners.open_players());
  ASSERT_TRUE(listeners.open_web({}, {}));
  std::vector<std::string_view> ports;
  for (const Listeners::Bound& each : listeners.bound()) {
    ports.push_back(each.port);
    EXPECT_GT(net::parse_host_port(each.address)->port, 0) << each.address;
  }
  EXPECT_THAT(ports, ElementsAre("csa", "csa", "http"));
  EXPECT_EQ(listeners.open_connections(), 0u);
}

TEST_F(ListenersTest, RefuseAnAddressThatIsTaken) {
  const auto taken = net::listen(io, net::resolve("127.0.0.1:0")->front());
  const std::string address = net::to_string(taken->local_endpoint());
  config.csa = {"127.0.0.1:0"};
  config.http = {address};
  for (const Started& refused : {listeners.check(), listeners.open_web({}, {})}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().exit_code, kExitUnavailable);
    EXPECT_THAT(refused.error().text, HasSubstr(address));
  }
  EXPECT_TRUE(listeners.bound().empty());
}

TEST_F(ListenersTest, RefuseTlsWithoutACertificateBeforeAnyAddress) {
  config.csa = {"no address"};
  config.csa_tls = {"127.0.0.1:0"};
  config.tls_cert = "/nowhere/certificate.pem";
  const Started checked = listeners.check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().exit_code, kExitUsage);
  EXPECT_THAT(checked.error().text, HasSubstr("/nowhere/certificate.pem"));
}

}  // namespace
}  // namespace fuhyo::app
