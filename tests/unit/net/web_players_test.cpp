// Players who come by a WebSocket, with Beast as the browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

#include "server/net/http_routes.h"
#include "tests/unit/net/csa_transport.h"
#include "tests/unit/net/http_fixture.h"

namespace fuhyo::net {
namespace {

namespace websocket = beast::websocket;
using testing::ElementsAre;
using testing::StartsWith;

const Headers kHandshake{{"Connection", "keep-alive, Upgrade"},
                         {"Upgrade", "WebSocket"},
                         {"Sec-WebSocket-Version", "13"},
                         {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};

class WebPlayers : public HttpFixture {
 protected:
  void open(HttpOptions options = {}, const core::Limits& limits = {}, bool secure = false) {
    make(std::move(options));
    players = &server->take_players(core, limits, "main",
                                    [this](std::function<void()> work) { boost::asio::post(io, std::move(work)); });
    if (secure) server->use(loaded_pair(folder.path(), "first"));
    address = (secure ? server->listen_tls("127.0.0.1:0") : server->listen("127.0.0.1:0")).value().front();
    server->start();
  }
  bool turn_until(const std::function<bool()>& condition) {
    return test::eventually([&] {
      io.restart();
      io.poll();
      return condition();
    });
  }

  // A browser that shows a page of this server.
  using Browser = websocket::stream<beast::tcp_stream>;
  std::unique_ptr<Browser> connect(const Headers& headers = {}) {
    auto browser = std::make_unique<Browser>(browsers);
    beast::get_lowest_layer(*browser).connect(resolve(address)->front());
    browser->set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
      request.set(http::field::origin, "http://" + address);
      for (const auto& [name, value] : headers) request.set(name, value);
    }));
    const std::size_t before = core.peers.size();
    browser->handshake(address, std::string(kCsaPath));
    EXPECT_TRUE(turn_until([&] { return core.peers.size() > before; }));
    return browser;
  }
  static void say(Browser& browser, std::string_view text) { browser.write(boost::asio::buffer(text)); }
  static std::string hear(Browser& browser, beast::error_code* end = nullptr) {
    beast::flat_buffer buffer;
    beast::error_code error;
    browser.read(buffer, error);
    if (end != nullptr) *end = error;
    return beast::buffers_to_string(buffer.data());
  }
  Headers with(std::string_view name, std::string_view value) const {
    Headers headers = kHandshake;
    headers[std::string(name)] = value;
    return headers;
  }

  const test::IgnoredSigpipe ignored;
  test::TemporaryFolder folder;
  boost::asio::io_context io{1}, browsers{1};
  FakeCore core;
  CsaCrossing* players = nullptr;
};

TEST_F(WebPlayers, SpeakAsOthersDo) {
  open();
  const auto browser = connect();
  EXPECT_THAT(core.peers, ElementsAre(StartsWith("127.0.0.1:")));
  EXPECT_FALSE(core.all_secure);
  say(*browser, "LOGIN alice test-600-10");
  say(*browser, "AGREE\r\n+7776FU\n\n");
  ASSERT_TRUE(turn_until([&] { return core.lines.size() == 4; }));
  EXPECT_THAT(core.lines, ElementsAre("LOGIN alice test-600-10", "AGREE\\r", "+7776FU", ""));
  players->write(kFirstConn, "LOGIN:alice OK\n");
  players->write(kFirstConn, "START:x\n+7776FU,T1\n");
  EXPECT_EQ(hear(*browser), "LOGIN:alice OK\n");
  EXPECT_TRUE(browser->got_text());
  EXPECT_EQ(hear(*browser), "START:x\n+7776FU,T1\n");
  EXPECT_EQ(players->connections(), 1u);
}

TEST_F(WebPlayers, HearTheEndAfterWhatWasSaid) {
  open();
  const auto browser = connect();
  players->write(kFirstConn, "#WIN\n");
  players->close(kFirstConn, "game over");
  EXPECT_EQ(hear(*browser), "#WIN\n");
  beast::error_code end;
  hear(*browser, &end);
  EXPECT_EQ(end, websocket::error::closed);
  EXPECT_EQ(browser->reason().code, websocket::close_code::normal);
  ASSERT_TRUE(turn_until([&] { return !core.ends[kFirstConn].empty(); }));
  EXPECT_THAT(core.ends[kFirstConn], ElementsAre("closed by the server"));
}

TEST_F(WebPlayers, WhoLeavesIsGone) {
  open();
  const auto browser = connect();
  browser->close(websocket::close_code::going_away);  // returns once it is answered
  ASSERT_TRUE(turn_until([&] { return !core.ends[kFirstConn].empty(); }));
  EXPECT_THAT(core.ends[kFirstConn], ElementsAre("closed by the peer"));
  const auto rude = connect();
  beast::get_lowest_layer(*rude).socket().close();
  ASSERT_TRUE(turn_until([&] { return !core.ends[core::ConnId{20}].empty(); }));
  ASSERT_TRUE(turn_until([&] { return players->connections() == 0; }));
}

TEST_F(WebPlayers, HaveTheLimitsOfTheOtherPorts) {
  open({}, {.line_before_login = 40});
  const auto browser = connect();
  say(*browser, std::string(40, 'a'));
  say(*browser, std::string(41, 'b'));
  ASSERT_TRUE(turn_until([&] { return core.lines.size() == 2; }));
  EXPECT_THAT(core.lines, ElementsAre(std::string(40, 'a'), "[bad] a line is too long"));
}

TEST_F(WebPlayers, AReadPassDeliversFirstWhatTheKernelHolds) {
  open();
  const auto browser = connect();
  players->throttle(kFirstConn, true);  // nothing is read but by the pass
  std::atomic<bool> told = false;
  players->when_written(kFirstConn, [&] { told = true; });
  ASSERT_TRUE(test::eventually([&] { return told.load(); }));
  say(*browser, "+7776FU");
  players->read_pass(kFirstConn, 7);
  ASSERT_TRUE(turn_until([&] { return !core.lines.empty() && core.lines.back() == "[passed]"; }));
  EXPECT_THAT(core.lines, ElementsAre("+7776FU", "[passed]"));
}

TEST_F(WebPlayers, ComeUnderTlsToo) {
  open({}, {}, true);
  boost::asio::ssl::context context(boost::asio::ssl::context::tls_client);
  websocket::stream<boost::asio::ssl::stream<beast::tcp_stream>> browser(browsers, context);
  beast::get_lowest_layer(browser).connect(resolve(address)->front());
  browser.next_layer().handshake(boost::asio::ssl::stream_base::client);
  browser.handshake(address, std::string(kCsaPath));
  ASSERT_TRUE(turn_until([&] { return core.peers.size() == 1; }));
  EXPECT_TRUE(core.all_secure);
  browser.write(boost::asio::buffer(std::string_view("LOGIN bob test-600-10")));
  ASSERT_TRUE(turn_until([&] { return !core.lines.empty(); }));
  players->write(kFirstConn, "LOGIN:bob OK\n");
  beast::flat_buffer buffer;
  browser.read(buffer);
  EXPECT_EQ(beast::buffers_to_string(buffer.data()), "LOGIN:bob OK\n");
}

TEST_F(WebPlayers, ComeFromWhereAProxySays) {
  HttpOptions options;
  options.web.proxy = [](std::string_view peer) { return peer == "127.0.0.1"; };
  open(std::move(options));
  connect({{"Origin", "https://" + address}, {"X-Forwarded-For", "2001:db8::7"}, {"X-Forwarded-Proto", "https"}});
  EXPECT_THAT(core.peers, ElementsAre(StartsWith("[2001:db8::7]:")));
  EXPECT_TRUE(core.all_secure);
}

TEST_F(WebPlayers, AHandshakeIsRefusedWithTheReason) {
  HttpOptions options;
  options.hosts = {"shogi.example"};
  open(std::move(options));
  struct Case {
    const char* what;
    Headers headers;
    unsigned status;
  };
  const Case cases[] = {
      {"no handshake", {}, 400},
      {"no upgrade", with("Connection", "keep-alive"), 400},
      {"another protocol", with("Upgrade", "h2c"), 400},
      {"another version", with("Sec-WebSocket-Version", "8"), 426},
      {"no key", with("Sec-WebSocket-Key", ""), 400},
      {"another site", with("Origin", "https://evil.example"), 403},
      {"no site", with("Origin", "null"), 403},
      {"a name that is not ours", with("Host", "evil.example"), 403},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Response response = get(kCsaPath, c.headers);
    EXPECT_EQ(response.result_int(), c.status);
    if (c.status == 426) EXPECT_EQ(response[http::field::upgrade], "websocket");
  }
  EXPECT_EQ(request("HEAD", kCsaPath, kHandshake).result_int(), 400u);
  EXPECT_EQ(request("POST", kCsaPath, kHandshake).result_int(), 405u);
  server->set_not_ready("the server is about to end\n");
  EXPECT_EQ(get(kCsaPath, kHandshake).result_int(), 503u);
  EXPECT_TRUE(core.peers.empty());
}

TEST_F(WebPlayers, AreRefusedWhereTheHostHasOpenedNoDoor) {
  start({});
  EXPECT_EQ(get(kCsaPath, kHandshake).result_int(), 403u);
}

}  // namespace
}  // namespace fuhyo::net
