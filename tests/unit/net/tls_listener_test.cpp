// CSA under TLS on loopback: what crosses between the two threads, and what TLS adds. The core is replaced by a list of
// its events, as it is for plain sockets.
#include "server/net/tls_listener.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <thread>
#include <variant>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "tests/support/certificates.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tls_client.h"

namespace fuhyo::net {
namespace {

using core::ConnId;
using std::chrono::milliseconds;
using test::TlsClient;
using testing::ElementsAre;
using testing::HasSubstr;

std::int64_t wall_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

class Recorder : public core::Intake {
 public:
  ConnId open(core::Doorway&, core::Door, std::string, std::string peer, bool secure) override {
    peers.push_back(std::move(peer));
    all_secure = all_secure && secure;
    return ConnId{last += 10};  // not as the listener counts
  }
  void deliver(core::Event event) override {
    if (const auto* line = std::get_if<core::Line>(&event)) {
      lines.push_back(line->text + (line->crlf ? "\\r" : ""));
      arrived.push_back(line->arrived);
    }
    if (std::holds_alternative<core::ReadPassed>(event)) lines.push_back("[passed]");
    if (const auto* bad = std::get_if<core::BadInput>(&event)) lines.push_back("[bad] " + bad->why);
    if (const auto* closed = std::get_if<core::Closed>(&event)) ends[closed->conn].push_back(closed->why);
    if (on_event) on_event(event);
  }
  core::Instant now() const override {
    using namespace std::chrono;
    return {duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count()};
  }

  std::uint64_t last = 0;
  bool all_secure = true;
  std::vector<std::string> peers, lines;
  std::map<ConnId, std::vector<std::string>> ends;
  std::vector<core::Instant> arrived;
  std::function<void(const core::Event&)> on_event;
};

constexpr ConnId kFirst{10};

class TlsListenerTest : public testing::Test {
 protected:
  TlsListenerTest() {
    std::ignore = std::signal(SIGPIPE, SIG_IGN);
    start({});
  }
  ~TlsListenerTest() override { listener.reset(); }

  std::shared_ptr<const TlsPair> pair(const std::string& name) {
    const auto files = test::write_pair(folder.path(), name);
    return TlsPair::load(files.certificate, files.key, wall_us()).value();
  }
  void start(const core::Limits& limits) {
    TlsListener::Hooks hooks;
    hooks.post_to_core = [this](std::function<void()> work) { boost::asio::post(io, std::move(work)); };
    hooks.warn = [](std::string_view) {};
    listener = std::make_unique<TlsListener>(intake, limits, "main", pair("first"), std::move(hooks));
    address = listener->listen("127.0.0.1:0").value().front();
    listener->start();
  }
  bool turn_until(const std::function<bool()>& condition, std::chrono::seconds patience = std::chrono::seconds(20)) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      io.restart();
      io.run_for(milliseconds(2));
    }
    return condition();
  }
  bool turn_until_lines(std::size_t count) {
    return turn_until([&] { return intake.lines.size() >= count; });
  }
  bool turn_until_gone(ConnId conn) {
    return turn_until([&] { return !intake.ends[conn].empty(); });
  }
  // A client after its handshake, whose connection the core knows.
  std::unique_ptr<TlsClient> connect(std::size_t chunk = 1 << 20, int version = 0, int receive_buffer = 0) {
    auto client = std::make_unique<TlsClient>(address, chunk, version, receive_buffer);
    const std::size_t before = intake.peers.size();
    EXPECT_TRUE(client->handshake());
    EXPECT_TRUE(turn_until([&] { return intake.peers.size() > before; }));
    return client;
  }

  test::TemporaryFolder folder;
  boost::asio::io_context io{1};
  Recorder intake;
  std::unique_ptr<TlsListener> listener;
  std::string address;
};

TEST_F(TlsListenerTest, LinesComeWholeHoweverTheirBytesAreSplit) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    intake.lines.clear();
    const auto client = connect(1, version);
    for (const char c : std::string("AGREE\r\n\n+77")) client->send(std::string(1, c));
    client->send("76FU\n%TORYO\nLOG");
    ASSERT_TRUE(turn_until_lines(4));
    EXPECT_THAT(intake.lines, ElementsAre("AGREE\\r", "", "+7776FU", "%TORYO"));
  }
  EXPECT_TRUE(intake.all_secure);
  EXPECT_THAT(intake.peers.front(), HasSubstr("127.0.0.1:"));
}

TEST_F(TlsListenerTest, SaysWhenWhatWasWrittenIsWithTheKernel) {
  const auto client = connect();
  std::atomic<int> written = 0;
  listener->write(kFirst, "+7776FU,T1\n");
  listener->when_written(kFirst, [&] { ++written; });
  listener->when_written(ConnId{4711}, [&] { written += 100; });
  ASSERT_TRUE(turn_until([&] { return written > 0; }));
  EXPECT_EQ(written, 1) << "nothing is written to who is not there";
  listener->close(kFirst, "game over");
  EXPECT_EQ(client->rest(), "+7776FU,T1\n");
}

TEST_F(TlsListenerTest, AnAnswerArrivesAndTheEndComesAfterItAndIsSaid) {
  const auto client = connect();
  listener->write(kFirst, "#RESIGN\n#WIN\n");
  listener->write(kFirst, "more\n");
  listener->close(kFirst, "game over");
  listener->write(kFirst, "never\n");
  EXPECT_EQ(client->rest(), "#RESIGN\n#WIN\nmore\n");
  EXPECT_TRUE(client->ended_well());
  ASSERT_TRUE(turn_until_gone(kFirst));
  EXPECT_THAT(intake.ends[kFirst], ElementsAre("closed by the server"));
  client->tcp().hang_up();
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 0; }));
}

TEST_F(TlsListenerTest, TheCoreHearsOfAPeerBeforeItsHandshake) {
  const test::TcpClient silent(address);
  EXPECT_TRUE(turn_until([&] { return intake.peers.size() == 1; }));
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 1; })) << "counted by the thread that accepts";
}

TEST_F(TlsListenerTest, ALineIsStampedByTheThreadThatReadIt) {
  const auto client = connect();
  client->send("a\n");
  std::this_thread::sleep_for(milliseconds(100));  // the core does not run
  const core::Instant late = intake.now();
  ASSERT_TRUE(turn_until_lines(1));
  EXPECT_LT(intake.arrived.front() + 50'000, late);
}

// The limit of who is not known yet holds for the first line; who is let in by it may send a longer one right after.
TEST_F(TlsListenerTest, ALimitRaisedByALineHoldsForTheNextOneOfTheSameRead) {
  core::Limits limits;
  limits.line_before_login = 8;
  start(limits);
  intake.on_event = [this](const core::Event& event) {
    if (std::holds_alternative<core::Line>(event)) listener->limit_lines(kFirst, 100);
  };
  const auto client = connect();
  client->send("LOGIN\n" + std::string(100, 'x') + "\n" + std::string(101, 'y') + "\nafter\n");
  ASSERT_TRUE(turn_until_lines(3));
  EXPECT_THAT(intake.lines, ElementsAre("LOGIN", std::string(100, 'x'), "[bad] a line is too long"));
}

TEST_F(TlsListenerTest, AStrangerKeepsToTheLimitForStrangers) {
  core::Limits limits;
  limits.line_before_login = 8;
  start(limits);
  const auto client = connect();
  client->send("12345678\n123456789\nafter\n");
  ASSERT_TRUE(turn_until_lines(2));
  EXPECT_THAT(intake.lines, ElementsAre("12345678", "[bad] a line is too long"));
  const auto endless = connect();
  for (int i = 0; i < 10; ++i) endless->send(std::string(1000, 'x'));
  ASSERT_TRUE(turn_until_lines(3));
  EXPECT_EQ(intake.lines.back(), "[bad] a line is too long");
}

TEST_F(TlsListenerTest, AReadPassDeliversFirstWhatTheKernelAndTlsHold) {
  core::Limits limits;
  limits.line = 20'000;
  start(limits);
  const auto client = connect();
  // The beginning of a record lies in TLS already, its end and two whole records in the kernel.
  const std::string first = client->wrap("+7776FU\n" + std::string(9'000, ' ') + "\n");
  const std::string more = client->wrap("second\n") + client->wrap("third\nhalf");
  listener->limit_lines(kFirst, 20'000);
  client->tcp().send(first.substr(0, first.size() - 5));
  std::this_thread::sleep_for(milliseconds(100));
  listener->throttle(kFirst, true);  // nothing is read but by the pass
  std::this_thread::sleep_for(milliseconds(100));
  client->tcp().send(first.substr(first.size() - 5) + more);
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_TRUE(intake.lines.empty());
  listener->read_pass(kFirst, 7);
  ASSERT_TRUE(turn_until([&] { return !intake.lines.empty() && intake.lines.back() == "[passed]"; }));
  ASSERT_EQ(intake.lines.size(), 5u);
  EXPECT_EQ(intake.lines.front(), "+7776FU");
  EXPECT_EQ(intake.lines[2], "second");
  EXPECT_EQ(intake.lines[3], "third");
}

TEST_F(TlsListenerTest, AReadPassOfAPeerThatHasGoneReportsTheEnd) {
  const auto client = connect();
  client->tcp().hang_up();
  std::this_thread::sleep_for(milliseconds(50));
  listener->read_pass(kFirst, 7);
  ASSERT_TRUE(turn_until_gone(kFirst));
  EXPECT_TRUE(intake.lines.empty());
}

TEST_F(TlsListenerTest, AThrottledPeerWaitsInTheKernel) {
  const auto client = connect();
  listener->throttle(kFirst, true);
  std::this_thread::sleep_for(milliseconds(50));
  client->send("flood\n");
  turn_until([] { return false; }, std::chrono::seconds(0));
  std::this_thread::sleep_for(milliseconds(50));
  io.restart();
  io.poll();
  EXPECT_TRUE(intake.lines.empty());
  listener->throttle(kFirst, false);
  EXPECT_TRUE(turn_until_lines(1));
}

// A core that stands still bounds what is read for it; when it goes on, nothing was lost.
TEST_F(TlsListenerTest, WhatTheCoreDoesNotTakeStaysWithTheSender) {
  const auto client = connect();
  listener->limit_lines(kFirst, 4096);
  client->send("hello\n");
  constexpr int kLines = 3'000;
  std::thread sender([&] {
    for (int i = 0; i < kLines; ++i) client->send(std::to_string(i) + std::string(2'000, 'x') + "\n");
  });
  std::this_thread::sleep_for(milliseconds(300));
  io.restart();
  io.run_one();  // takes what has come so far
  EXPECT_LT(intake.lines.size(), 100u);
  EXPECT_TRUE(turn_until_lines(1 + kLines));
  sender.join();
  EXPECT_EQ(intake.lines.back(), std::to_string(kLines - 1) + std::string(2'000, 'x'));
}

TEST_F(TlsListenerTest, EveryEndOfThePeerIsReportedOnce) {
  const auto polite = connect(), abrupt = connect(), reset = connect(), before = connect();
  test::TcpClient unspoken(address);
  polite->say_goodbye();
  abrupt->tcp().hang_up();
  reset->tcp().reset();
  before->send("half a li");
  before->tcp().shut_down_sending();
  ASSERT_TRUE(turn_until([&] { return intake.peers.size() == 5; }));
  unspoken.hang_up();
  for (std::uint64_t i = 1; i <= 5; ++i) EXPECT_TRUE(turn_until_gone(ConnId{i * 10})) << i;
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 0; }));
  for (std::uint64_t i = 1; i <= 5; ++i) EXPECT_EQ(intake.ends[ConnId{i * 10}].size(), 1u) << i;
  listener->write(kFirst, "to nobody\n");  // harmless
  listener->read_pass(kFirst, 1);
  io.restart();
  io.run_for(milliseconds(20));
  EXPECT_TRUE(intake.lines.empty());
}

TEST_F(TlsListenerTest, WhoDoesNotSpeakTlsIsTurnedAway) {
  test::TcpClient plain(address);
  plain.send("LOGIN alice test-300-10F,x\n");
  ASSERT_TRUE(turn_until_gone(kFirst));
  EXPECT_THAT(intake.ends[kFirst].front(), HasSubstr("no TLS handshake"));
  EXPECT_TRUE(intake.lines.empty());
}

TEST_F(TlsListenerTest, OldVersionsAreTurnedAway) {
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    TlsClient client(address, 1 << 20, version);
    EXPECT_FALSE(client.handshake());
  }
}

TEST_F(TlsListenerTest, AHandshakeThatDoesNotEndIsNotWaitedFor) {
  const test::TcpClient silent(address);
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(turn_until_gone(kFirst));
  EXPECT_THAT(intake.ends[kFirst].front(), HasSubstr("handshake"));
  const auto took = std::chrono::steady_clock::now() - before;
  EXPECT_GT(took, milliseconds(4'500));
  EXPECT_LT(took, milliseconds(9'000));
}

TEST_F(TlsListenerTest, AReaderThatStopsIsGivenUpAtTheLimit) {
  core::Limits limits;
  limits.output_bytes = 64 * 1024;
  start(limits);
  const auto client = connect(1 << 20, 0, 4096);
  const std::string line = std::string(1023, 'x') + "\n";
  for (int i = 0; i < 100'000 && intake.ends[kFirst].empty(); ++i) {
    listener->write(kFirst, line);
    if (i % 16 != 0) continue;
    io.restart();
    io.run_for(milliseconds(1));
  }
  ASSERT_TRUE(turn_until_gone(kFirst));
  EXPECT_THAT(intake.ends[kFirst].front(), HasSubstr("does not read"));
}

TEST_F(TlsListenerTest, ASlowReaderGetsEverythingInOrder) {
  const auto client = connect(1 << 20, 0, 4096);
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    expected += line;
    listener->write(kFirst, line);
  }
  listener->close(kFirst, "");
  EXPECT_EQ(client->rest(), expected);
  EXPECT_TRUE(client->ended_well());
}

TEST_F(TlsListenerTest, AnotherCertificateIsForNewcomersOnly) {
  const auto old = connect();
  listener->use(pair("second"));
  std::unique_ptr<TlsClient> fresh;
  turn_until([&] {
    fresh = connect();
    return fresh->peer_name() == "second";
  });
  EXPECT_EQ(fresh->peer_name(), "second");
  EXPECT_EQ(old->peer_name(), "first");
  old->send("still here\n");
  ASSERT_TRUE(turn_until_lines(1));
  listener->write(kFirst, "and heard\n");
  EXPECT_EQ(old->line(), "and heard");
}

TEST_F(TlsListenerTest, AfterStopAcceptingThePlayersStay) {
  const auto client = connect();
  listener->stop_accepting();
  EXPECT_TRUE(turn_until([&] { return !test::TcpClient(address).connected(); }));
  client->send("still here\n");
  EXPECT_TRUE(turn_until_lines(1));
  listener->write(kFirst, "the end\n");
  listener->close_all("");
  EXPECT_EQ(client->rest(), "the end\n");
}

TEST_F(TlsListenerTest, GoesWithPeersInEveryState) {
  const auto client = connect();
  const test::TcpClient silent(address);
  client->send("a line that nobody takes\n");
  listener->write(kFirst, "and one that nobody reads\n");
  listener.reset();
  io.restart();
  io.poll();
  EXPECT_TRUE(intake.ends.empty());
}

}  // namespace
}  // namespace fuhyo::net
