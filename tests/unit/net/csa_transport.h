// CSA sockets on loopback, in the clear or under TLS. What stands for the core is a list of its events under a clock of
// the test's; its thread is the test's.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "server/core/transport.h"
#include "server/net/csa_listener.h"
#include "server/net/tls_listener.h"
#include "tests/support/patience.h"
#include "tests/support/tcp_client.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tls_client.h"
#include "tests/unit/net/loaded_pair.h"

namespace fuhyo::net {

class FakeCore : public core::InputSink {
 public:
  core::ConnId open(core::Transport&, core::ConnectionKind, std::string, std::string peer, bool secure) override {
    peers.push_back(std::move(peer));
    all_secure = all_secure && secure;
    return core::ConnId{last += 10};  // not as a listener counts
  }
  void deliver(core::Input input) override {
    if (const auto* line = std::get_if<core::ClientLine>(&input)) {
      lines.push_back(line->text + (line->crlf ? "\\r" : ""));
      arrived.push_back(line->arrived.us);
    }
    if (std::holds_alternative<core::ReadPassed>(input)) lines.emplace_back("[passed]");
    if (const auto* bad = std::get_if<core::BadInput>(&input)) lines.push_back("[bad] " + bad->why);
    if (const auto* closed = std::get_if<core::Closed>(&input)) ends[closed->conn].push_back(closed->why);
    if (on_input) on_input(input);
  }
  core::Instant now() const override {
    ++asked_for_time;
    return {now_us};
  }

  std::uint64_t last = 0;
  bool all_secure = true;
  std::vector<std::string> peers, lines;
  std::vector<std::int64_t> arrived;
  std::map<core::ConnId, std::vector<std::string>> ends;
  std::function<void(const core::Input&)> on_input;
  std::atomic<std::int64_t> now_us{1};
  mutable std::atomic<int> asked_for_time{0};  // once a read
};

constexpr core::ConnId kFirstConn{10};

// None is reached but the one that a test means to be.
inline CsaDeadlines patient_but(std::chrono::milliseconds CsaDeadlines::* one, int ms) {
  CsaDeadlines deadlines{.handshake = test::kPatience, .flush = test::kPatience, .linger = test::kPatience};
  deadlines.*one = std::chrono::milliseconds(ms);
  return deadlines;
}

// A client of either kind.
class CsaPeer {
 public:
  CsaPeer(const std::string& address, bool secure, int receive_buffer) {
    if (secure) tls_.emplace(address, 1 << 20, 0, receive_buffer);
    if (!secure) tcp_.emplace(address, receive_buffer);
  }
  bool handshake() { return !tls_ || tls_->handshake(); }
  test::TcpClient& tcp() { return tls_ ? tls_->tcp() : *tcp_; }
  bool send(std::string_view bytes) { return tls_ ? tls_->send(bytes) : tcp_->send(bytes); }
  std::optional<std::string> line() { return tls_ ? tls_->line() : tcp_->line(); }
  std::optional<std::string> rest() { return tls_ ? tls_->rest() : tcp_->rest(); }
  bool ended_well() const { return !tls_ || tls_->ended_well(); }

 private:
  std::optional<test::TcpClient> tcp_;
  std::optional<test::TlsClient> tls_;
};

class CsaDoor : public testing::Test {
 protected:
  explicit CsaDoor(bool secure) : secure_(secure) { start({}); }

  void start(const core::Limits& limits, const CsaDeadlines& deadlines = patient_but(&CsaDeadlines::retry, 500)) {
    if (secure_) {
      TlsListener::Hooks hooks;
      hooks.post_to_core = [this](std::function<void()> work) { boost::asio::post(io, std::move(work)); };
      hooks.warn = [](std::string_view) {};
      tls = std::make_unique<TlsListener>(core, limits, "main", loaded_pair(folder.path(), "first"), std::move(hooks),
                                          deadlines);
      if (is_proxy) tls->expect_proxy_header(is_proxy);
      address = tls->listen("127.0.0.1:0").value().front();
      return tls->start();
    }
    const auto warn = [this](std::string_view text) { warnings.emplace_back(text); };
    plain = std::make_unique<CsaListener>(io, core, limits, "main", warn, deadlines);
    if (is_proxy) plain->expect_proxy_header(is_proxy);
    address = plain->listen("127.0.0.1:0").value().front();
  }
  core::Transport& transport() { return secure_ ? static_cast<core::Transport&>(*tls) : *plain; }
  void write(std::string bytes) { transport().write(kFirstConn, std::move(bytes)); }
  std::size_t connections() const { return secure_ ? tls->connections() : plain->connections(); }
  void stop_accepting() { secure_ ? tls->stop_accepting() : plain->stop_accepting(); }

  void turn() {
    io.restart();
    io.poll();
  }
  bool turn_until(const std::function<bool()>& condition) {
    return test::eventually([&] {
      turn();
      return condition();
    });
  }
  bool turn_until_lines(std::size_t count) {
    return turn_until([&] { return core.lines.size() >= count; });
  }
  bool turn_until_gone(core::ConnId conn = kFirstConn) {
    return turn_until([&] { return !core.ends[conn].empty(); });
  }
  bool turn_until_empty() {
    return turn_until([&] { return connections() == 0; });
  }
  // Whoever reads the sockets has done what it was told and has looked at each that had something to read. Under TLS
  // that is another thread: it does what it is told in turn with what it reads, so that some rounds make it certain.
  bool all_read() {
    for (int round = 0; secure_ && round < 4; ++round) {
      std::atomic<bool> done = false;
      tls->when_written(kFirstConn, [&] { done = true; });
      if (!test::eventually([&] { return done.load(); })) return false;
    }
    if (!secure_) turn();
    return true;
  }
  // ... all that this client has sent too, and the core has taken it.
  bool settled(test::TcpClient& client) {
    const bool read = client.delivered() && all_read();
    turn();
    return read;
  }

  // A client, after its handshake, whose connection the core knows.
  std::unique_ptr<CsaPeer> connect(int receive_buffer = 0) {
    auto peer = std::make_unique<CsaPeer>(address, secure_, receive_buffer);
    const std::size_t before = core.peers.size();
    EXPECT_TRUE(peer->handshake());
    EXPECT_TRUE(turn_until([&] { return core.peers.size() > before; }));
    return peer;
  }

  const bool secure_;
  const test::IgnoredSigpipe ignored;
  test::TemporaryFolder folder;
  boost::asio::io_context io{1};
  FakeCore core;
  std::vector<std::string> warnings;
  std::function<bool(std::string_view)> is_proxy;  // before start()
  std::string address;
  std::unique_ptr<CsaListener> plain;  // one of the two
  std::unique_ptr<TlsListener> tls;
};

}  // namespace fuhyo::net
