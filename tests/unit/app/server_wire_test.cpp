// The line of `fuhyo join` to its server, at its limits, against a listener of the same thread.
#include "server/app/join/server_wire.h"

#include <chrono>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include "tests/support/patience.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ServerWireTest : public ::testing::Test {
 protected:
  ServerWireTest() {
    options_.host = "127.0.0.1";
    options_.port = std::to_string(listener_.local_endpoint().port());
  }

  ServerWire& make(const ServerWire::Limits& limits) {
    ServerWire::Events events;
    events.connected = [this] { told_.emplace_back("connected"); };
    events.line = [this](std::string_view line) { told_.push_back("line " + std::string(line)); };
    events.read = [this] { told_.emplace_back("read"); };
    events.lost = [this](const std::string& why, bool was_online) {
      told_.push_back((was_online ? "lost: " : "not there: ") + why);
    };
    events.sent = [this] { told_.emplace_back("sent"); };
    return wires_.emplace_back(io_, options_, limits, std::move(events));
  }
  // Connected, and that forgotten.
  ServerWire& connected(const ServerWire::Limits& limits) {
    ServerWire& wire = make(limits);
    wire.connect();
    listener_.async_accept(server_, [](boost::system::error_code) {});
    EXPECT_TRUE(until([&] { return wire.online() && server_.is_open(); }));
    EXPECT_THAT(told(), ElementsAre("connected"));
    return wire;
  }
  bool until(const std::function<bool()>& there) {
    return test::eventually([&] {
      io_.restart();
      io_.poll();
      return there();
    });
  }
  bool until(const std::string& last) {
    return until([&] { return !told_.empty() && told_.back() == last; });
  }
  std::vector<std::string> told() { return std::exchange(told_, {}); }

  static constexpr ServerWire::Limits kWide{
      .line = 100, .unsent = 1 << 20, .connect = test::kPatience, .first_delay = 1ms, .longest_delay = 1ms};

  asio::io_context io_{1};
  tcp::acceptor listener_{io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  tcp::socket server_{io_};
  JoinOptions options_;
  std::vector<std::string> told_;
  std::list<ServerWire> wires_;
};

TEST_F(ServerWireTest, CarriesLinesBothWays) {
  ServerWire& wire = connected(kWide);
  asio::write(server_, asio::buffer(std::string("one\r\ntwo\nthr")));
  ASSERT_TRUE(until("read"));
  EXPECT_THAT(told(), ElementsAre("line one", "line two", "read"));
  wire.write("LOGIN a b");
  wire.write("");
  ASSERT_TRUE(until("sent"));
  std::string heard(11, ' ');
  asio::read(server_, asio::buffer(heard));
  EXPECT_EQ(heard, "LOGIN a b\n\n");
  server_.close();
  ASSERT_TRUE(until("lost: the server closed the line"));
  EXPECT_FALSE(wire.online());
}

TEST_F(ServerWireTest, HintsAtTlsWhereTheServerAnswersInIt) {
  connected(kWide);
  asio::write(server_, asio::buffer(std::string("\x15\x03\x01\0\x02\x02\x46", 7)));
  EXPECT_TRUE(until("lost: the server speaks TLS here: use --tls"));
}

TEST_F(ServerWireTest, HintsAtTlsWhereTheServerSaysNothingAndCloses) {
  connected(kWide);
  server_.close();
  EXPECT_TRUE(until("lost: the server closed the line, and the server said nothing: if it speaks TLS here, use --tls"));
}

TEST_F(ServerWireTest, TakesALineAtItsLimitAndNoneBeyond) {
  ServerWire::Limits limits = kWide;
  limits.line = 4;
  connected(limits);
  asio::write(server_, asio::buffer(std::string("1234\n")));
  ASSERT_TRUE(until("read"));
  EXPECT_THAT(told(), ElementsAre("line 1234", "read"));
  asio::write(server_, asio::buffer(std::string("12345\n")));
  ASSERT_TRUE(until("lost: the server sent a line that does not end"));
}

TEST_F(ServerWireTest, KeepsAsMuchUnsentAsItMay) {
  ServerWire::Limits limits = kWide;
  limits.unsent = 10;
  ServerWire& wire = connected(limits);
  wire.write("under way");
  wire.write("123456789");
  EXPECT_THAT(told(), IsEmpty());
  wire.write("");
  EXPECT_THAT(told(), ElementsAre("lost: the server does not read"));
  wire.write("nobody hears it");
  ASSERT_TRUE(until("sent")) << "of what was under way, whatever became of it";
}

TEST_F(ServerWireTest, HangsUpBehindItsLastLine) {
  ServerWire& wire = connected(kWide);
  wire.write("first");
  wire.write("last");
  wire.hang_up();
  EXPECT_FALSE(wire.online());
  ASSERT_TRUE(until("sent"));
  std::string heard;
  boost::system::error_code end;
  asio::read(server_, asio::dynamic_buffer(heard), end);
  EXPECT_EQ(heard, "first\nlast\n");
  EXPECT_EQ(end, asio::error::eof);
  EXPECT_THAT(told(), ElementsAre("sent")) << "what one does oneself is no loss";
}

TEST_F(ServerWireTest, GivesAServerUpThatDoesNotGreetInTime) {
  options_.tls = true;
  options_.insecure = true;
  ServerWire::Limits limits = kWide;
  // Longer and longer, until the server is found and connected before its end.
  for (limits.connect = 1ms; told_.empty() || told_.front().starts_with("not there: cannot "); limits.connect *= 2) {
    for (const std::string& line : told()) EXPECT_THAT(line, EndsWith(": no answer"));
    ServerWire& wire = make(limits);
    ASSERT_TRUE(wire.set_up());
    wire.connect();
    ASSERT_TRUE(until([this] { return !told_.empty(); }));
  }
  EXPECT_THAT(told(), ElementsAre(StartsWith("not there: no TLS with the server: ")));
}

// Also where that time ends while a step is done, and not yet heard of: the end is heard of at every moment.
TEST_F(ServerWireTest, TellsOfEveryConnectionWhatBecameOfIt) {
  options_.tls = true;
  options_.insecure = true;
  ServerWire::Limits limits = kWide;
  limits.connect = 0ms;
  for (int i = 0; i < 600; ++i) {
    ServerWire& wire = make(limits);
    ASSERT_TRUE(wire.set_up());
    wire.connect();
    const auto moment = std::chrono::steady_clock::now() + i % 150 * 1us;
    while (std::chrono::steady_clock::now() < moment) continue;
    ASSERT_TRUE(until([this] { return !told_.empty(); })) << i;
    EXPECT_THAT(told(), ElementsAre(StartsWith("not there: ")));
  }
}

TEST_F(ServerWireTest, TriesAgainLaterAndLater) {
  tcp::acceptor deaf(io_, tcp::v4());  // nobody else gets its port, and it does not listen
  deaf.bind(tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  options_.port = std::to_string(deaf.local_endpoint().port());
  ServerWire::Limits limits = kWide;
  limits.first_delay = 10ms;
  limits.longest_delay = 30ms;
  ServerWire& wire = make(limits);
  for (const auto delay : {10ms, 20ms, 30ms, 30ms}) {
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(wire.connect_again(), delay);
    ASSERT_TRUE(until([this] { return !told_.empty(); }));
    EXPECT_GE(std::chrono::steady_clock::now() - began, delay);
    EXPECT_THAT(told(), ElementsAre(StartsWith("not there: cannot connect to 127.0.0.1:" + options_.port)));
  }
  wire.went_well();
  EXPECT_EQ(wire.connect_again(), 10ms);
}

TEST_F(ServerWireTest, SaysNothingOnceItIsStopped) {
  ServerWire& wire = connected(kWide);
  wire.write("under way");
  wire.stop();
  wire.connect_in(1ms);
  server_.close();
  bool later = false;
  asio::steady_timer timer(io_, 2ms);
  timer.async_wait([&](boost::system::error_code) { later = true; });
  ASSERT_TRUE(until([&] { return !wire.sending() && later; }));
  EXPECT_THAT(told(), IsEmpty());
}

}  // namespace
}  // namespace fuhyo::app
