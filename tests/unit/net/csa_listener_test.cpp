// CSA sockets in the clear: framing, stamps, read passes, and what a listener costs and lacks.
#include "server/net/csa_listener.h"

#include <fstream>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "tests/support/sanitized.h"
#include "tests/unit/net/csa_transport.h"

namespace fuhyo::net {
namespace {

using core::ConnId;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Client = test::TcpClient;

// Of open files: another one while this lives.
class FileLimit {
 public:
  FileLimit() { ::getrlimit(RLIMIT_NOFILE, &former_); }
  ~FileLimit() { set(former_.rlim_cur); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  void raise() { set(former_.rlim_max); }
  void set(rlim_t count) {
    const rlimit limit{count, former_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

 private:
  rlimit former_{};
};

class CsaListenerTest : public CsaDoor {
 protected:
  CsaListenerTest() : CsaDoor(false) {}
  bool turn_until_closed(Client& client) {
    const auto told = std::async(std::launch::async, [&] { return client.rest(); });
    return turn_until([&] { return told.wait_for(milliseconds(0)) == std::future_status::ready; });
  }
};

TEST_F(CsaListenerTest, LinesComeWholeHoweverTheBytesAreSplit) {
  const auto client = connect();
  for (const char c : std::string("AGREE\r\n\n+77")) {
    client->send(std::string(1, c));
    ASSERT_TRUE(client->tcp().delivered());
    turn();
  }
  client->send("76FU\n%TORYO\nLOG");
  ASSERT_TRUE(turn_until_lines(4));
  EXPECT_THAT(core.lines, ElementsAre("AGREE\\r", "", "+7776FU", "%TORYO"));
  EXPECT_THAT(core.peers.front(), HasSubstr("127.0.0.1:"));
}

TEST_F(CsaListenerTest, AProxyThatSaysNothingOfWhoComesIsTurnedAway) {
  is_proxy = [](std::string_view) { return true; };
  start({});
  for (const std::string said : {"LOGIN a b x1\n", "GET / HTTP/1.1\r\n\r\n", "PROXY TCP4 1 2 3 4\r\n"}) {
    test::TcpClient client(address);
    client.send(said);
    EXPECT_TRUE(turn_until_closed(client)) << said;
  }
  EXPECT_THAT(core.peers, IsEmpty());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("from 127.0.0.1 are closed: they begin with no PROXY header")))
      << "said once";
}

TEST_F(CsaListenerTest, AProxyHasItsTimeToSayWhoComes) {
  is_proxy = [](std::string_view) { return true; };
  start({}, patient_but(&CsaDeadlines::handshake, 1));
  test::TcpClient client(address);
  client.send("PROXY TCP4 192.0.2.7");
  EXPECT_TRUE(turn_until_closed(client));
  EXPECT_THAT(core.peers, IsEmpty());
}

TEST_F(CsaListenerTest, ALineIsStampedWhenItIsRead) {
  const auto client = connect();
  core.now_us = 7;
  client->send("a\nb\n");
  ASSERT_TRUE(turn_until_lines(2));
  EXPECT_THAT(core.arrived, ElementsAre(7, 7));
}

// Clients that are refused, more than a thousand at once, and do not close.
TEST_F(CsaListenerTest, SoManyWaitForTheEndOfTheirPeersAndNoMore) {
  FileLimit files;
  files.raise();
  std::vector<std::unique_ptr<CsaPeer>> clients;
  for (std::size_t i = 0; i < kMostLingering + 2; ++i) clients.push_back(connect());
  for (std::uint64_t i = 1; i <= clients.size(); ++i) {
    plain->write(ConnId{i * 10}, "too many connections\n");
    plain->close(ConnId{i * 10}, "");
  }
  EXPECT_EQ(core.ends.size(), clients.size()) << "the core knows of all";
  EXPECT_EQ(connections(), kMostLingering);
  EXPECT_EQ(clients.back()->line(), "too many connections") << "told, though not waited for";
  clients.clear();
  EXPECT_TRUE(turn_until_empty());
  const auto later = connect();
  plain->close(ConnId{core.last}, "");
  EXPECT_EQ(connections(), 1u) << "there is room again";
}

TEST_F(CsaListenerTest, AnEndOrResetOfThePeerIsReportedOnce) {
  const auto first = connect(), second = connect();
  first->tcp().hang_up();
  second->tcp().reset();
  EXPECT_TRUE(turn_until_empty());
  EXPECT_EQ(core.ends[kFirstConn].size(), 1u);
  EXPECT_EQ(core.ends[ConnId{20}].size(), 1u);
  plain->write(kFirstConn, "to nobody\n");  // both are harmless
  plain->read_pass(kFirstConn, 1);
  EXPECT_TRUE(core.lines.empty());
}

TEST_F(CsaListenerTest, AReadPassDeliversWhatTheKernelHoldsFirst) {
  const auto client = connect();
  client->send("+7776FU\nhalf a li");
  ASSERT_TRUE(client->tcp().delivered());
  plain->read_pass(kFirstConn, 7);
  EXPECT_THAT(core.lines, ElementsAre("+7776FU", "[passed]"));
  client->send("ne\n");
  ASSERT_TRUE(turn_until_lines(3));
  EXPECT_EQ(core.lines.back(), "half a line");
}

TEST_F(CsaListenerTest, AReadPassTakesMoreThanOneBufferButEnds) {
  const auto client = connect();
  plain->limit_lines(kFirstConn, 4096);
  std::string bytes;
  for (int i = 0; i < 8'000; ++i) bytes += std::to_string(i) + "\n";
  client->send(bytes);
  ASSERT_TRUE(client->tcp().delivered());
  plain->read_pass(kFirstConn, 1);
  EXPECT_EQ(core.lines.size(), 8'001u);
  EXPECT_EQ(core.lines.back(), "[passed]");
}

TEST_F(CsaListenerTest, ListensOnIpv6AndOnSeveralAddresses) {
  const auto v6 = plain->listen("[::1]:0");
  if (!v6) GTEST_SKIP() << v6.error();
  Client first(address), second(v6->front());
  ASSERT_TRUE(turn_until([&] { return core.peers.size() == 2; }));
  EXPECT_THAT(core.peers, testing::Contains(testing::StartsWith("[::1]:")));
}

TEST_F(CsaListenerTest, OutOfDescriptorsItRestsServesAndRecovers) {
  start({}, patient_but(&CsaDeadlines::retry, 10));
  const auto player = connect();
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 40; ++i) crowd.push_back(std::make_unique<Client>(address));
  const int next_free = ::dup(0);
  ::close(next_free);
  {
    FileLimit files;
    files.set(static_cast<rlim_t>(next_free) + 5);  // five of the forty fit
    EXPECT_TRUE(turn_until([&] { return !warnings.empty(); }));
    EXPECT_EQ(core.peers.size(), 1u + 5);
    player->send("+7776FU\n");
    EXPECT_TRUE(turn_until_lines(1));
  }
  connect();
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("cannot accept")));
}

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  status >> size >> resident;
  return resident * 4096;
}

TEST_F(CsaListenerTest, AConnectionAtRestIsSmall) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  FileLimit files;
  files.raise();
  constexpr std::size_t kCount = 2000;
  const std::size_t before = resident_bytes();
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < kCount; ++i) {
    clients.push_back(std::make_unique<Client>(address));
    if (i % 64 == 0) turn();
  }
  ASSERT_TRUE(turn_until([&] { return connections() == kCount; }));
  EXPECT_LT((resident_bytes() - before) / kCount, 4096u) << "both ends of it";
}

}  // namespace
}  // namespace fuhyo::net
