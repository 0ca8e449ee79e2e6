// CSA sockets under TLS: what crosses between the two threads, and what TLS adds.
#include "server/net/tls_listener.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "tests/support/tls_client.h"
#include "tests/unit/net/csa_transport.h"

namespace fuhyo::net {
namespace {

using core::ConnId;
using test::TlsClient;
using testing::ElementsAre;
using testing::HasSubstr;

class TlsListenerTest : public CsaDoor {
 protected:
  TlsListenerTest() : CsaDoor(true) {}

  // A client, after its handshake, whose connection the core knows.
  std::unique_ptr<TlsClient> connect(std::size_t chunk = 1 << 20, int version = 0) {
    auto client = std::make_unique<TlsClient>(address, chunk, version);
    const std::size_t before = core.peers.size();
    EXPECT_TRUE(client->handshake());
    EXPECT_TRUE(turn_until([&] { return core.peers.size() > before; }));
    return client;
  }
};

TEST_F(TlsListenerTest, LinesComeWholeHoweverTheirBytesAreSplit) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    core.lines.clear();
    const auto client = connect(1, version);
    for (const char c : std::string("AGREE\r\n\n+77")) client->send(std::string(1, c));
    client->send("76FU\n%TORYO\nLOG");
    ASSERT_TRUE(turn_until_lines(4));
    EXPECT_THAT(core.lines, ElementsAre("AGREE\\r", "", "+7776FU", "%TORYO"));
  }
  EXPECT_TRUE(core.all_secure);
  EXPECT_THAT(core.peers.front(), HasSubstr("127.0.0.1:"));
}

TEST_F(TlsListenerTest, SaysWhenWhatWasWrittenIsWithTheKernel) {
  const auto client = connect();
  std::atomic<int> written = 0;
  tls->write(kFirstConn, "+7776FU,T1\n");
  tls->when_written(kFirstConn, [&] { ++written; });
  tls->when_written(ConnId{4711}, [&] { written += 100; });
  ASSERT_TRUE(turn_until([&] { return written > 0; }));
  EXPECT_EQ(written, 1) << "nothing is written to who is not there";
  tls->close(kFirstConn, "game over");
  EXPECT_EQ(client->rest(), "+7776FU,T1\n");
}

TEST_F(TlsListenerTest, TheCoreHearsOfAPeerBeforeItsHandshake) {
  const test::TcpClient silent(address);
  EXPECT_TRUE(turn_until([&] { return core.peers.size() == 1; }));
  EXPECT_TRUE(turn_until([&] { return connections() == 1; })) << "counted by the thread that accepts";
}

TEST_F(TlsListenerTest, ALineIsStampedByTheThreadThatReadIt) {
  const auto client = connect();
  core.now_us = 7;
  client->send("a\n");
  ASSERT_TRUE(test::eventually([&] { return core.asked_for_time > 0; })) << "the core does not run";
  core.now_us = 8;
  ASSERT_TRUE(turn_until_lines(1));
  EXPECT_THAT(core.arrived, ElementsAre(7));
}

TEST_F(TlsListenerTest, AReadPassDeliversFirstWhatTheKernelAndTlsHold) {
  start({.line = 20'000});
  const auto client = connect();
  // The beginning of a record lies in TLS already, its end and two whole records in the kernel.
  const std::string first = client->wrap("+7776FU\n" + std::string(9'000, ' ') + "\n");
  const std::string more = client->wrap("second\n") + client->wrap("third\nhalf");
  tls->limit_lines(kFirstConn, 20'000);
  client->tcp().send(first.substr(0, first.size() - 5));
  ASSERT_TRUE(settled(client->tcp()));
  tls->throttle(kFirstConn, true);  // nothing is read but by the pass
  ASSERT_TRUE(all_read());
  client->tcp().send(first.substr(first.size() - 5) + more);
  ASSERT_TRUE(settled(client->tcp()));
  EXPECT_TRUE(core.lines.empty());
  tls->read_pass(kFirstConn, 7);
  ASSERT_TRUE(turn_until([&] { return !core.lines.empty() && core.lines.back() == "[passed]"; }));
  ASSERT_EQ(core.lines.size(), 5u);
  EXPECT_EQ(core.lines.front(), "+7776FU");
  EXPECT_EQ(core.lines[2], "second");
  EXPECT_EQ(core.lines[3], "third");
}

// A core that stands still bounds what is read for it; when it goes on, nothing was lost.
TEST_F(TlsListenerTest, WhatTheCoreDoesNotTakeStaysWithTheSender) {
  const auto client = connect();
  tls->limit_lines(kFirstConn, 4096);
  constexpr std::size_t kAtOnce = 45, kLines = 500;  // as many at once as the kernel surely takes as well
  const auto line = [](std::size_t i) { return std::to_string(i) + std::string(2'000, 'x'); };
  client->send("hello\n");  // who has said something may send longer lines
  for (std::size_t i = 0; i < kAtOnce; ++i) client->send(line(i) + "\n");
  ASSERT_TRUE(client->tcp().delivered() && all_read());
  io.restart();
  io.poll_one();  // the core takes what has come, once
  EXPECT_GT(core.lines.size(), 20u);
  EXPECT_LT(core.lines.size(), 40u);
  std::thread sender([&] {
    for (std::size_t i = kAtOnce; i < kLines; ++i) client->send(line(i) + "\n");
  });
  EXPECT_TRUE(turn_until_lines(1 + kLines));
  sender.join();
  for (std::size_t i = 0; i < kLines; ++i) ASSERT_EQ(core.lines[1 + i], line(i));
}

TEST_F(TlsListenerTest, EveryEndOfThePeerIsReportedOnce) {
  const auto polite = connect(), abrupt = connect(), reset = connect(), before = connect();
  test::TcpClient unspoken(address);
  polite->say_goodbye();
  abrupt->tcp().hang_up();
  reset->tcp().reset();
  before->send("half a li");
  before->tcp().shut_down_sending();
  ASSERT_TRUE(turn_until([&] { return core.peers.size() == 5; }));
  unspoken.hang_up();
  for (std::uint64_t i = 1; i <= 5; ++i) EXPECT_TRUE(turn_until_gone(ConnId{i * 10})) << i;
  EXPECT_TRUE(turn_until_empty());
  for (std::uint64_t i = 1; i <= 5; ++i) EXPECT_EQ(core.ends[ConnId{i * 10}].size(), 1u) << i;
  tls->write(kFirstConn, "to nobody\n");  // harmless
  tls->read_pass(kFirstConn, 1);
  connect()->send("after it\n");
  EXPECT_TRUE(turn_until_lines(1));
  EXPECT_THAT(core.lines, ElementsAre("after it"));
}

TEST_F(TlsListenerTest, WhoDoesNotSpeakTlsIsTurnedAway) {
  test::TcpClient client(address);
  client.send("LOGIN alice test-300-10F,x\n");
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.ends[kFirstConn].front(), HasSubstr("no TLS handshake"));
  EXPECT_TRUE(core.lines.empty());
}

TEST_F(TlsListenerTest, OldVersionsAreTurnedAway) {
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    TlsClient client(address, 1 << 20, version);
    EXPECT_FALSE(client.handshake());
  }
}

TEST_F(TlsListenerTest, AHandshakeThatDoesNotEndIsNotWaitedFor) {
  start({}, patient_but(&CsaDeadlines::handshake, 1));
  const test::TcpClient silent(address);
  ASSERT_TRUE(turn_until_gone());
  EXPECT_THAT(core.ends[kFirstConn].front(), HasSubstr("handshake"));
}

TEST_F(TlsListenerTest, AnotherCertificateIsForNewcomersOnly) {
  const auto old = connect();
  tls->use(loaded_pair(folder.path(), "second"));
  const auto fresh = connect();
  EXPECT_EQ(fresh->peer_name(), "second");
  EXPECT_EQ(old->peer_name(), "first");
  old->send("still here\n");
  ASSERT_TRUE(turn_until_lines(1));
  tls->write(kFirstConn, "and heard\n");
  EXPECT_EQ(old->line(), "and heard");
}

TEST_F(TlsListenerTest, GoesWithPeersInEveryState) {
  const auto client = connect();
  const test::TcpClient silent(address);
  client->send("a line that nobody takes\n");
  tls->write(kFirstConn, "and one that nobody reads\n");
  tls.reset();
  turn();
  EXPECT_TRUE(core.ends.empty());
}

}  // namespace
}  // namespace fuhyo::net
