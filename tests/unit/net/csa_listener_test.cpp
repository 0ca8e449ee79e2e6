// CSA sockets on loopback: framing, stamps, writing, closing, limits. The core is replaced by a list of its events.
#include "server/net/csa_listener.h"

#include <chrono>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <sys/resource.h>
#include <thread>
#include <variant>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "tests/support/sanitized.h"
#include "tests/support/tcp_client.h"

namespace fuhyo::net {
namespace {

using core::ConnId;
using testing::ElementsAre;
using testing::HasSubstr;
using Client = test::TcpClient;

class Recorder : public core::Intake {
 public:
  ConnId open(core::Doorway&, core::Door, std::string, std::string peer, bool) override {
    peers.push_back(std::move(peer));
    return ConnId{++last};
  }
  void deliver(core::Event event) override {
    if (const auto* line = std::get_if<core::Line>(&event)) {
      lines.push_back(line->text + (line->crlf ? "\\r" : ""));
      arrived.push_back(line->arrived);
    }
    if (std::holds_alternative<core::ReadPassed>(event)) lines.push_back("[passed]");
    if (const auto* bad = std::get_if<core::BadInput>(&event)) lines.push_back("[bad] " + bad->why);
    if (const auto* closed = std::get_if<core::Closed>(&event)) ends.push_back(closed->why);
    if (on_event) on_event(event);
  }
  core::Instant now() const override {
    using namespace std::chrono;
    return {duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count()};
  }

  std::uint64_t last = 0;
  std::vector<std::string> peers, lines, ends;
  std::vector<core::Instant> arrived;
  std::function<void(const core::Event&)> on_event;
};

void raise_file_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

class CsaListenerTest : public testing::Test {
 protected:
  CsaListenerTest() { start({}); }

  void start(const core::Limits& limits) {
    listener = std::make_unique<CsaListener>(io, intake, limits, "main",
                                             [this](std::string_view text) { warnings.emplace_back(text); });
    address = listener->listen("127.0.0.1:0").value().front();
  }
  // Runs the event loop until the condition holds; false if it does not within some seconds.
  bool turn_until(const std::function<bool()>& condition, std::chrono::seconds patience = std::chrono::seconds(20)) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition() && std::chrono::steady_clock::now() < deadline) io.run_for(std::chrono::milliseconds(2));
    return condition();
  }
  bool turn_until_lines(std::size_t count) {
    return turn_until([&] { return intake.lines.size() >= count; });
  }
  // A connected client whose connection the listener knows.
  std::unique_ptr<Client> connect(int receive_buffer = 0) {
    const std::size_t before = intake.peers.size();
    auto client = std::make_unique<Client>(address, receive_buffer);
    EXPECT_TRUE(turn_until([&] { return intake.peers.size() > before; }));
    return client;
  }

  boost::asio::io_context io{1};
  Recorder intake;
  std::vector<std::string> warnings;
  std::unique_ptr<CsaListener> listener;
  std::string address;
};

constexpr ConnId kFirst{1};

TEST_F(CsaListenerTest, LinesComeWholeHoweverTheBytesAreSplit) {
  const auto client = connect();
  for (const char c : std::string("AGREE\r\n\n+77")) {
    client->send(std::string(1, c));
    io.run_for(std::chrono::milliseconds(1));
  }
  client->send("76FU\n%TORYO\nLOG");
  ASSERT_TRUE(turn_until_lines(4));
  EXPECT_THAT(intake.lines, ElementsAre("AGREE\\r", "", "+7776FU", "%TORYO"));
  EXPECT_THAT(intake.peers.front(), HasSubstr("127.0.0.1:"));
}

TEST_F(CsaListenerTest, ALineIsStampedWhenItWasReadNotWhenItIsApplied) {
  const auto client = connect();
  const core::Instant before = intake.now();
  client->send("a\nb\n");
  ASSERT_TRUE(turn_until_lines(2));
  EXPECT_EQ(intake.arrived[0], intake.arrived[1]);  // one read
  EXPECT_GE(intake.arrived[0], before);
  EXPECT_LE(intake.arrived[0], intake.now());
}

TEST_F(CsaListenerTest, TheLineLimitHoldsAndCanBeRaised) {
  core::Limits limits;
  limits.line_before_login = 8;
  start(limits);
  const auto client = connect();
  client->send("12345678\n");
  ASSERT_TRUE(turn_until_lines(1));
  listener->limit_lines(kFirst, 10);
  client->send("1234567890\n12345678901\nafter\n");
  ASSERT_TRUE(turn_until_lines(3));
  io.run_for(std::chrono::milliseconds(20));
  EXPECT_THAT(intake.lines, ElementsAre("12345678", "1234567890", "[bad] a line is too long"));
}

TEST_F(CsaListenerTest, ALimitRaisedByALineHoldsForTheNextOneOfTheSameRead) {
  core::Limits limits;
  limits.line_before_login = 8;
  start(limits);
  intake.on_event = [this](const core::Event& event) {
    if (std::holds_alternative<core::Line>(event)) listener->limit_lines(kFirst, 100);
  };
  const auto client = connect();
  client->send("LOGIN\n" + std::string(100, 'x') + "\n");
  EXPECT_TRUE(turn_until_lines(2));
  EXPECT_EQ(intake.lines.back().size(), 100u);
}

TEST_F(CsaListenerTest, B1_AnEndlessLineIsCutAndTakesNoMemory) {
  const auto client = connect();
  for (int i = 0; i < 40; ++i) {
    client->send(std::string(8192, 'x'));
    io.run_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(turn_until_lines(1));
  EXPECT_THAT(intake.lines, ElementsAre("[bad] a line is too long"));
}

TEST_F(CsaListenerTest, WhatIsWrittenArrivesAndTheEndComesAfterIt) {
  const auto client = connect();
  listener->write(kFirst, "#RESIGN\n#WIN\n");
  listener->write(kFirst, "more\n");
  listener->close(kFirst, "game over");
  listener->write(kFirst, "never\n");
  EXPECT_EQ(intake.ends, std::vector<std::string>{"closed by the server"});
  EXPECT_EQ(client->rest(), "#RESIGN\n#WIN\nmore\n");
  client->hang_up();
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 0; }));
  EXPECT_EQ(intake.ends.size(), 1u);
}

// A close with unread input would make the kernel send a reset, and a reset eats lines that the peer has not read.
TEST_F(CsaListenerTest, UnreadInputDoesNotEatTheLastLines) {
  const auto client = connect();
  const std::string farewell(100'000, 'z');
  client->send("noise\nnoise\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  listener->write(kFirst, farewell);
  listener->close(kFirst, "");
  client->send("late\n");
  std::optional<std::string> received;
  std::thread reader([&] {
    received = client->rest();
    client->hang_up();
  });
  turn_until([&] { return listener->connections() == 0; });
  reader.join();
  EXPECT_EQ(received, farewell);
}

TEST_F(CsaListenerTest, APeerThatNeverClosesIsClosed) {
  const auto client = connect();
  listener->close(kFirst, "");
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 0; }, std::chrono::seconds(10)));
}

// Clients that are refused, more than a thousand in two seconds, and do not close.
TEST_F(CsaListenerTest, SoManyWaitForTheEndOfTheirPeersAndNoMore) {
  raise_file_limit();
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < kMostLingering + 2; ++i) clients.push_back(connect());
  for (std::uint64_t id = 1; id <= clients.size(); ++id) {
    listener->write(ConnId{id}, "too many connections\n");
    listener->close(ConnId{id}, "");
  }
  EXPECT_EQ(intake.ends.size(), clients.size()) << "the core knows of all";
  EXPECT_EQ(listener->connections(), kMostLingering);
  EXPECT_EQ(clients.back()->line(), "too many connections") << "told, though not waited for";
  const std::size_t last = clients.size();
  clients.clear();
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 0; }));
  const auto later = connect();
  listener->close(ConnId{last + 1}, "");
  EXPECT_EQ(listener->connections(), 1u) << "there is room again";
}

TEST_F(CsaListenerTest, AnEndOrResetOfThePeerIsReportedOnce) {
  const auto first = connect(), second = connect();
  first->hang_up();
  second->reset();
  ASSERT_TRUE(turn_until([&] { return intake.ends.size() == 2; }));
  EXPECT_TRUE(turn_until([&] { return listener->connections() == 0; }));
  EXPECT_EQ(intake.ends.size(), 2u);
  listener->write(kFirst, "to nobody\n");  // both are harmless
  listener->read_pass(kFirst, 1);
  EXPECT_TRUE(intake.lines.empty());
}

TEST_F(CsaListenerTest, AReadPassDeliversWhatTheKernelHoldsFirst) {
  const auto client = connect();
  client->send("+7776FU\nhalf a li");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // in the kernel now; the loop has not run
  listener->read_pass(kFirst, 7);
  EXPECT_THAT(intake.lines, ElementsAre("+7776FU", "[passed]"));
  client->send("ne\n");
  ASSERT_TRUE(turn_until_lines(3));
  EXPECT_EQ(intake.lines.back(), "half a line");
}

TEST_F(CsaListenerTest, AReadPassTakesMoreThanOneBufferButEnds) {
  const auto client = connect();
  listener->limit_lines(kFirst, 4096);
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) bytes += std::to_string(i) + "\n";
  client->send(bytes);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  listener->read_pass(kFirst, 1);
  EXPECT_EQ(intake.lines.size(), 20'001u);
  EXPECT_EQ(intake.lines.back(), "[passed]");
}

TEST_F(CsaListenerTest, AReadPassOfAClosedPeerReportsTheEnd) {
  const auto client = connect();
  client->hang_up();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  listener->read_pass(kFirst, 7);
  EXPECT_TRUE(intake.lines.empty());
  EXPECT_EQ(intake.ends.size(), 1u);
}

TEST_F(CsaListenerTest, AThrottledClientWaitsInTheKernel) {
  const auto client = connect();
  listener->throttle(kFirst, true);
  client->send("flood\n");
  io.run_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(intake.lines.empty());
  listener->throttle(kFirst, false);
  EXPECT_TRUE(turn_until_lines(1));
}

TEST_F(CsaListenerTest, AThrottledClientThatLeavesIsNoticedWhenReadingResumes) {
  const auto client = connect();
  listener->throttle(kFirst, true);
  client->hang_up();
  io.run_for(std::chrono::milliseconds(50));
  listener->throttle(kFirst, false);
  EXPECT_TRUE(turn_until([&] { return intake.ends.size() == 1; }));
}

TEST_F(CsaListenerTest, AReaderThatStopsIsGivenUpAtTheLimit) {
  core::Limits limits;
  limits.output_bytes = 64 * 1024;
  start(limits);
  const auto client = connect(4096);
  const std::string line = std::string(1023, 'x') + "\n";
  int written = 0;
  while (intake.ends.empty() && written < 100'000) {
    listener->write(kFirst, line);
    ++written;
  }
  ASSERT_EQ(intake.ends.size(), 1u);
  EXPECT_THAT(intake.ends.front(), HasSubstr("does not read"));
  EXPECT_GT(written, 64);  // a whole limit fits
  EXPECT_EQ(listener->connections(), 0u);
}

TEST_F(CsaListenerTest, ASlowReaderGetsEverythingInOrder) {
  const auto client = connect(4096);
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    expected += line;
    listener->write(kFirst, line);
  }
  listener->close(kFirst, "");
  std::optional<std::string> received;
  std::thread reader([&] {
    received = client->rest();
    client->hang_up();
  });
  turn_until([&] { return listener->connections() == 0; });
  reader.join();
  EXPECT_EQ(received, expected);
}

TEST_F(CsaListenerTest, ListensOnIpv6AndOnSeveralAddresses) {
  const auto v6 = listener->listen("[::1]:0");
  if (!v6) GTEST_SKIP() << v6.error();
  Client first(address), second(v6->front());
  ASSERT_TRUE(turn_until([&] { return intake.peers.size() == 2; }));
  EXPECT_TRUE(intake.peers[0].starts_with("[::1]:") || intake.peers[1].starts_with("[::1]:"));
}

TEST_F(CsaListenerTest, AfterStopAcceptingThePlayersStay) {
  const auto client = connect();
  listener->stop_accepting();
  EXPECT_FALSE(Client(address).connected());
  client->send("still here\n");
  EXPECT_TRUE(turn_until_lines(1));
}

TEST_F(CsaListenerTest, OutOfDescriptorsItRestsServesAndRecovers) {
  const auto player = connect();
  rlimit old{};
  getrlimit(RLIMIT_NOFILE, &old);
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 40; ++i) crowd.push_back(std::make_unique<Client>(address));
  const int next_free = ::dup(0);
  ::close(next_free);
  rlimit low = old;
  low.rlim_cur = static_cast<rlim_t>(next_free) + 5;  // five of the forty fit
  setrlimit(RLIMIT_NOFILE, &low);
  EXPECT_TRUE(turn_until([&] { return !warnings.empty(); }));
  player->send("+7776FU\n");
  EXPECT_TRUE(turn_until_lines(1));
  setrlimit(RLIMIT_NOFILE, &old);
  EXPECT_TRUE(turn_until([&] { return intake.peers.size() >= 1 + 40 - 3; }));  // all but those turned away meanwhile
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings.front(), HasSubstr("cannot accept"));
}

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  status >> size >> resident;
  return resident * 4096;
}

TEST_F(CsaListenerTest, AConnectionAtRestIsSmall) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  raise_file_limit();
  constexpr std::size_t kCount = 2000;
  const std::size_t before = resident_bytes();
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < kCount; ++i) {
    clients.push_back(std::make_unique<Client>(address));
    if (i % 64 == 0) io.poll();
  }
  ASSERT_TRUE(turn_until([&] { return listener->connections() == kCount; }));
  EXPECT_LT((resident_bytes() - before) / kCount, 4096u);  // both ends of it
}

}  // namespace
}  // namespace fuhyo::net
