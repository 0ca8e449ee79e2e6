// What CSA sockets promise in the clear and under TLS alike: limits of lines, read passes, throttling, writing, ends.
#include "tests/unit/net/csa_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <variant>

namespace fuhyo::net {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CsaDoorTest : public CsaDoor, public testing::WithParamInterface<bool> {
 protected:
  CsaDoorTest() : CsaDoor(GetParam()) {}

  // Everything that the client hears until its connection is forgotten.
  std::optional<std::string> read_to_the_end(CsaPeer& client) {
    std::optional<std::string> received;
    std::thread reader([&] {
      received = client.rest();
      client.tcp().hang_up();
    });
    EXPECT_TRUE(turn_until_empty());
    reader.join();
    EXPECT_TRUE(client.ended_well());
    return received;
  }
};

INSTANTIATE_TEST_SUITE_P(Csa, CsaDoorTest, testing::Bool(),
                         [](const auto& secure) { return secure.param ? "Tls" : "Plain"; });

TEST_P(CsaDoorTest, AProxySaysWhoComes) {
  is_proxy = [](std::string_view address) { return address == "127.0.0.1"; };
  start({});
  CsaPeer client(address, secure_, 0);
  client.tcp().send("PROXY TCP6 2001:db8::7 2001:db8::1 4711 4081\r\n");
  std::thread speaks([&] {  // while the core's thread takes what comes
    EXPECT_TRUE(client.handshake());
    client.send("LOGIN\n");
  });
  EXPECT_TRUE(turn_until_lines(1));
  speaks.join();
  EXPECT_THAT(core.peers, ElementsAre("[2001:db8::7]:4711"));
  EXPECT_THAT(core.lines, ElementsAre("LOGIN"));
}

TEST_P(CsaDoorTest, TheLineLimitHoldsAndCanBeRaised) {
  start({.line_before_login = 8});
  const auto client = connect();
  client->send("12345678\n");
  ASSERT_TRUE(turn_until_lines(1));
  transport().limit_lines(kFirstConn, 10);
  client->send("1234567890\n12345678901\nafter\n");
  client->tcp().shut_down_sending();
  ASSERT_TRUE(turn_until_empty() && turn_until_gone());
  EXPECT_THAT(core.lines, ElementsAre("12345678", "1234567890", "[bad] a line is too long"));
}

// The limit of who is not known yet holds for the first line; who is let in by it may send a longer one right after.
TEST_P(CsaDoorTest, ALimitRaisedByALineHoldsForTheNextOneOfTheSameRead) {
  start({.line_before_login = 8});
  core.on_input = [this](const core::Input& input) {
    if (std::holds_alternative<core::ClientLine>(input)) transport().limit_lines(kFirstConn, 100);
  };
  const auto client = connect();
  client->send("LOGIN\n" + std::string(100, 'x') + "\n" + std::string(101, 'y') + "\nafter\n");
  client->tcp().shut_down_sending();
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.lines, ElementsAre("LOGIN", std::string(100, 'x'), "[bad] a line is too long"));
}

TEST_P(CsaDoorTest, B1_AnEndlessLineIsCutAndTakesNoMemory) {
  const auto client = connect();
  for (int i = 0; i < 40; ++i) {
    client->send(std::string(8192, 'x'));
    turn();
  }
  client->tcp().shut_down_sending();
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.lines, ElementsAre("[bad] a line is too long"));
}

TEST_P(CsaDoorTest, WhatIsWrittenArrivesAndTheEndComesAfterIt) {
  const auto client = connect();
  write("#RESIGN\n#WIN\n");
  write("more\n");
  transport().close(kFirstConn, "game over");
  write("never\n");
  EXPECT_EQ(read_to_the_end(*client), "#RESIGN\n#WIN\nmore\n");
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.ends[kFirstConn], ElementsAre("closed by the server"));
}

// A close with unread input would make the kernel send a reset, and a reset eats lines that the peer has not read.
TEST_P(CsaDoorTest, UnreadInputDoesNotEatTheLastLines) {
  const auto client = connect();
  const std::string farewell(100'000, 'z');
  client->send("noise\nnoise\n");
  ASSERT_TRUE(client->tcp().delivered());
  write(farewell);
  transport().close(kFirstConn, "");
  client->send("late\n");
  EXPECT_EQ(read_to_the_end(*client), farewell);
}

TEST_P(CsaDoorTest, APeerThatNeverClosesIsClosed) {
  start({}, patient_but(&CsaDeadlines::linger, 1));
  const auto client = connect();
  transport().close(kFirstConn, "");
  EXPECT_TRUE(turn_until_empty());
}

TEST_P(CsaDoorTest, APeerThatNeverReadsItsLastLinesIsClosed) {
  start({.output_bytes = 64 << 20}, patient_but(&CsaDeadlines::flush, 1));
  const auto client = connect(4096);
  write(std::string(8 << 20, 'x'));
  transport().close(kFirstConn, "");
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.ends[kFirstConn], ElementsAre("did not read its last lines"));
}

TEST_P(CsaDoorTest, AReadPassOfAClosedPeerReportsTheEnd) {
  const auto client = connect();
  client->send("LOGIN\n");  // whose handshake is not over yet has nothing to read
  ASSERT_TRUE(turn_until_lines(1));
  client->tcp().shut_down_sending();
  ASSERT_TRUE(client->tcp().delivered());
  transport().read_pass(kFirstConn, 7);
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.lines, ElementsAre("LOGIN"));
}

TEST_P(CsaDoorTest, AThrottledPeerWaitsInTheKernel) {
  const auto client = connect();
  transport().throttle(kFirstConn, true);
  ASSERT_TRUE(all_read());
  client->send("flood\n");
  ASSERT_TRUE(settled(client->tcp()));
  EXPECT_TRUE(core.lines.empty());
  transport().throttle(kFirstConn, false);
  EXPECT_TRUE(turn_until_lines(1));
}

TEST_P(CsaDoorTest, AThrottledPeerThatLeavesIsNoticedWhenReadingResumes) {
  const auto client = connect();
  transport().throttle(kFirstConn, true);
  ASSERT_TRUE(all_read());
  client->tcp().shut_down_sending();
  ASSERT_TRUE(settled(client->tcp()));
  EXPECT_TRUE(core.ends.empty());
  transport().throttle(kFirstConn, false);
  EXPECT_TRUE(turn_until_gone());
}

TEST_P(CsaDoorTest, AReaderThatStopsIsGivenUpAtTheLimit) {
  start({.output_bytes = 64 * 1024});
  const auto client = connect(4096);
  const std::string line = std::string(1023, 'x') + "\n";
  int written = 0;
  for (; core.ends[kFirstConn].empty() && written < 100'000; ++written) {
    write(line);
    if (written % 16 == 0) turn();
  }
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.ends[kFirstConn], ElementsAre(HasSubstr("does not read")));
  EXPECT_GT(written, 64) << "a whole limit fits";
  EXPECT_TRUE(turn_until_empty());
}

TEST_P(CsaDoorTest, ASlowReaderGetsEverythingInOrder) {
  const auto client = connect(4096);
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    expected += line;
    write(line);
  }
  transport().close(kFirstConn, "");
  EXPECT_EQ(read_to_the_end(*client), expected);
}

TEST_P(CsaDoorTest, AfterStopAcceptingThePlayersStay) {
  const auto client = connect();
  stop_accepting();
  ASSERT_TRUE(all_read());
  const test::TcpClient late(address);
  client->send("still here\n");
  EXPECT_TRUE(turn_until_lines(1));
  EXPECT_EQ(core.peers.size(), 1u);
  write("the end\n");
  secure_ ? tls->close_all("") : plain->close_all("");
  EXPECT_EQ(read_to_the_end(*client), "the end\n");
}

}  // namespace
}  // namespace fuhyo::net
