// The web side on loopback: requests, limits, and the stream of events.
#include "server/net/http_server.h"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>
#include <zlib.h>

#include "server/net/packed_stream.h"
#include "server/net/tls_pair.h"
#include "tests/support/tcp_client.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tls_client.h"
#include "tests/unit/net/http_fixture.h"
#include "tests/unit/net/json_parts.h"
#include "tests/unit/net/loaded_pair.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Client = test::TcpClient;

class HttpServerTest : public HttpFixture {
 protected:
  void SetUp() override { start({}); }

  // What a connection of its own hears of these bytes: the first line, or everything until its end.
  std::string first_line(std::string_view bytes) {
    Client client(address);
    client.send(bytes);
    return client.until("\r\n");
  }
  std::string answer(std::string_view bytes) {
    Client client(address);
    client.send(bytes);
    return client.rest().value_or("still open");
  }
  // A reader of the stream that has received the header, or has been turned away.
  std::unique_ptr<Client> follow(std::string_view query = "", std::string_view header = "", int receive_buffer = 0) {
    auto client = std::make_unique<Client>(address, receive_buffer);
    client->send("GET /api/v1/events" + std::string(query) + " HTTP/1.1\r\nHost: x\r\n" + std::string(header) + "\r\n");
    head = client->until("\r\n\r\n");
    return client;
  }
  bool is_served() { return follow() && head.contains("200 OK"); }

  void publish(core::Fact fact) { server->publish({next(std::move(fact))}); }

  Numbering next;
  std::string head;
  std::atomic<std::int64_t> now_us = 5 * core::kSecond;
  const std::function<core::Now()> clock = [this] { return core::Now{core::Instant{now_us}, core::Wall{now_us}}; };
};

TEST_F(HttpServerTest, HealthFollowsTheStoreAndAServerThatIsAboutToEndIsNotReady) {
  EXPECT_EQ(status("/healthz"), 200u);
  EXPECT_EQ(get("/healthz").body(), "ok\n");
  EXPECT_EQ(status("/readyz"), 200u);
  server->set_healthy(false);
  EXPECT_EQ(status("/healthz"), 503u);
  EXPECT_EQ(get("/readyz").body(), "the store is away\n");
  server->set_healthy(true);
  server->set_trouble("record files cannot be written\n");
  EXPECT_EQ(status("/healthz"), 200u) << "another start would not help";
  EXPECT_EQ(get("/healthz").body(), "record files cannot be written\n");
  server->set_trouble(nullptr);
  EXPECT_EQ(get("/readyz").body(), "ok\n");
  server->set_not_ready("the server is about to end\n");
  EXPECT_EQ(status("/readyz"), 503u);
  EXPECT_EQ(get("/readyz").body(), "the server is about to end\n");
  EXPECT_EQ(status("/healthz"), 200u);
}

TEST_F(HttpServerTest, ThePageComesWithAStrictPolicyAndItsFiles) {
  const Response page = get("/");
  EXPECT_EQ(page.result(), http::status::ok);
  EXPECT_EQ(page[http::field::content_type], "text/html; charset=utf-8");
  const std::string policy(page["Content-Security-Policy"]);
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("script-src 'self';"));
  EXPECT_THAT(policy, HasSubstr("object-src 'none';"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_EQ(page["X-Content-Type-Options"], "nosniff");
  EXPECT_THAT(page.body(), Not(HasSubstr("http://")));
  EXPECT_THAT(page.body(), Not(HasSubstr("https://")));
  // Where the page goes by itself.
  EXPECT_EQ(get("/rounds").body(), page.body());
  // Only one kind of page may stand in the pages of others.
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
  for (const char* path : {"/embed/7", "/overlay/7", "/assets/", "/healthz", "/api/v1/session",
                           "/embed/7/../../console", "/embed/console", "/embed/7%2f..%2f..%2fconsole", "/embed/7/8"}) {
    const std::string own(get(path)["Content-Security-Policy"]);
    const bool framed = path == std::string_view("/embed/7") || path == std::string_view("/embed/7/8");
    EXPECT_THAT(own, HasSubstr(framed ? "frame-ancestors *" : "frame-ancestors 'none'")) << path;
  }
}

class PagesTest : public HttpServerTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder / "assets");
    folder.write("index.html", "<p>hello</p>");
    folder.write("assets/a-1.js", "plain");
    folder.write("assets/a-1.js.gz", "zipped");
    folder.write("assets/a-1.js.br", "packed");
    auto assets = Assets::of_folder(folder.path());
    ASSERT_TRUE(assets) << assets.error();
    start({.assets = std::move(*assets)});
  }
  test::TemporaryFolder folder;
};

TEST_F(PagesTest, ComeAsTheBrowserLikesThem) {
  const Response plain = get("/assets/a-1.js");
  EXPECT_EQ(plain.body(), "plain");
  EXPECT_EQ(plain[http::field::content_type], "text/javascript; charset=utf-8");
  EXPECT_EQ(plain.count(http::field::content_encoding), 0u);
  for (const auto& [accept, body, coding] : {std::tuple("gzip, deflate, br", "packed", "br"),
                                             {"gzip", "zipped", "gzip"},
                                             {"br;q=0, gzip;q=0.5", "zipped", "gzip"},
                                             {"deflate", "plain", ""},
                                             {"brotli", "plain", ""}}) {
    const Response got = get("/assets/a-1.js", {{"Accept-Encoding", accept}});
    EXPECT_EQ(got.body(), body) << accept;
    EXPECT_EQ(got[http::field::content_encoding], coding) << accept;
  }
}

TEST_F(PagesTest, AreNotSentAgainToWhoHasThem) {
  for (const char* path : {"/", "/games", "/assets/a-1.js"}) {
    const std::string etag(get(path)[http::field::etag]);
    ASSERT_EQ(etag.size(), 18u) << path;
    const Response again = get(path, {{"If-None-Match", "\"other\", " + etag}, {"Accept-Encoding", "br"}});
    EXPECT_EQ(again.result(), http::status::not_modified) << path;
    EXPECT_EQ(again.body(), "");
    EXPECT_EQ(get(path, {{"If-None-Match", "\"other\""}}).result(), http::status::ok) << path;
  }
}

TEST_F(PagesTest, DocumentsArePagesOfTheirOwn) {
  const auto served = [](const std::filesystem::path& root) {
    auto assets = Assets::of_folder(root);
    EXPECT_TRUE(assets) << assets.error();
    return std::move(*assets);
  };
  EXPECT_EQ(get("/docs").body(), "<p>hello</p>") << "pages without documents";
  std::filesystem::create_directories(folder / "docs" / "operations");
  folder.write("docs.html", "<p>book</p>");
  folder.write("docs/operations/rooms.ja.html", "<p>rooms</p>");
  folder.write("docs/operations/rooms.ja.html.br", "packed");
  folder.write("docs/wall.webp", "picture");
  start({.assets = served(folder.path())});
  EXPECT_EQ(get("/docs").body(), "<p>book</p>");
  const Response rooms = get("/docs/operations/rooms.ja");
  EXPECT_EQ(rooms.body(), "<p>rooms</p>");
  EXPECT_EQ(rooms[http::field::content_type], "text/html; charset=utf-8");
  EXPECT_THAT(std::string(rooms["Content-Security-Policy"]), HasSubstr("frame-ancestors 'none'"));
  EXPECT_EQ(get("/docs/operations/rooms.ja", {{"Accept-Encoding", "br"}}).body(), "packed");
  EXPECT_EQ(get("/docs/wall.webp")[http::field::content_type], "image/webp");
  for (const char* path : {"/docs/rooms", "/docs/", "/docs/operations", "/docs/operations/", "/docs/../docs",
                           "/docs/operations/rooms.ja/", "/docs.html", "/docs/operations/rooms.ja.html"}) {
    EXPECT_EQ(get(path).result(), http::status::not_found) << path;
  }
}

TEST_F(PagesTest, AreToldWithoutAConnection) {
  std::filesystem::create_directories(folder / "site");
  folder.write("site/index.html", "<p>files</p>");
  auto assets = Assets::of_folder(folder.path());
  ASSERT_TRUE(assets) << assets.error();
  EXPECT_FALSE(assets->begin_with("/none"));
  EXPECT_TRUE(assets->begin_with("/site/index"));
  start({.assets = std::move(*assets)});
  EXPECT_EQ(server->get("/games", "site.invalid", "ja").body, "<p>files</p>");
  EXPECT_EQ(server->get("/assets/a-1.js", "site.invalid", "ja").body, "plain");
  EXPECT_EQ(server->get("/site/index", "site.invalid", "ja").status, 404u) << "no address leads into that folder";
  EXPECT_EQ(server->get("/games", "site.invalid", "ja").body, get("/games").body());
}

TEST_F(PagesTest, EventsAreNotSentAgainToWhoHasThem) {
  const core::TournamentSet cup{.name = "cup", .text = "name\tcup\nformat\tround-robin\ntime\t300-10F\n"};
  start({}, {.keyed_facts = next(cup)});
  for (const char* path : {"/api/v1/tournaments", "/api/v1/tournaments/cup"}) {
    const Response first = get(path);
    EXPECT_EQ(first.result(), http::status::ok);
    EXPECT_EQ(first[http::field::content_type], "application/json");
    const Response again = get(path, {{"If-None-Match", std::string(first[http::field::etag])}});
    EXPECT_EQ(again.result(), http::status::not_modified);
    EXPECT_EQ(again.body(), "");
    EXPECT_EQ(get(path, {{"If-None-Match", "\"x\""}}).result(), http::status::ok);
  }
  const Headers condition = {{"If-None-Match", std::string(get("/api/v1/tournaments")[http::field::etag])}};
  publish(core::TournamentPhaseSet{.event = "cup", .phase = core::TournamentPhase::running});
  EXPECT_THAT(get("/api/v1/tournaments", condition).body(), HasSubstr("\"running\""));
  EXPECT_EQ(get("/api/v1/tournaments/club")[http::field::etag], "");
}

TEST_F(PagesTest, W4_AreThoseOfTheFolderAndNothingElse) {
  EXPECT_EQ(get("/").body(), "<p>hello</p>");
  for (const char* path : {"/assets/a-2.js", "/assets/a-1.js.br", "/assets/", "/assets/../index.html",
                           "/assets/%2e%2e/index.html", "/index.html", "/assets"}) {
    EXPECT_EQ(get(path).result(), http::status::not_found) << path;
  }
  EXPECT_THAT(Assets::of_folder(folder / "nowhere").error(), HasSubstr("nowhere: No such file"));
  EXPECT_THAT(Assets::of_folder(folder / "assets").error(), HasSubstr("there is no index.html"));
}

TEST_F(PagesTest, AFormStandsInPlaceOfEverythingForBrowsersOfThisMachine) {
  auto assets = Assets::of_folder(folder.path());
  ASSERT_TRUE(assets) << assets.error();
  std::promise<std::string> sent;
  start({.assets = std::move(*assets), .form = [&](const FormRequest& form) -> std::optional<FormReply> {
           if (form.path != "/key") return std::nullopt;
           if (!form.posted) return FormReply{.html = "<form method=\"post\">" + std::string(form.sent)};
           return FormReply{.html = "<p>thanks",
                            .taken = [&sent, text = std::string(form.sent)] { sent.set_value(text); }};
         }});
  Headers here{{"Host", address}};
  const Response form = request("GET", "/key", here, "a=1");
  EXPECT_EQ(form.body(), "<form method=\"post\">");
  EXPECT_EQ(form[http::field::cache_control], "no-store");
  EXPECT_THAT(std::string(form["Content-Security-Policy"]), HasSubstr("form-action 'self'; frame-ancestors 'none'"));
  EXPECT_EQ(request("GET", "/assets/a-1.js", here).body(), "plain");
  for (const char* other : {"/", "/docs", "/healthz", "/metrics", "/api/v1/games", "/api/v1/events", "/key/", "*"}) {
    EXPECT_EQ(request("GET", other, here).result(), http::status::not_found) << other;
  }
  EXPECT_EQ(request("PUT", "/key", here).result(), http::status::method_not_allowed);
  // Another name may be a foreign page's, which has made it lead here.
  EXPECT_EQ(request("GET", "/key", {{"Host", "shogi.example"}}).result(), http::status::forbidden);
  EXPECT_EQ(request("GET", "/key", {{"Host", address}, {"X-Forwarded-For", "192.0.2.7"}}).result(),
            http::status::forbidden);
  for (const char* origin : {"http://shogi.example", "null", "http://127.0.0.1:1"}) {
    here["Origin"] = origin;
    EXPECT_EQ(request("POST", "/key", here, "a=1").result(), http::status::forbidden) << origin;
  }
  here["Origin"] = "http://" + address;
  EXPECT_EQ(request("POST", "/key", here, "a=2").body(), "<p>thanks");
  EXPECT_EQ(sent.get_future().get(), "a=2");
}

TEST_F(HttpServerTest, W4_WrongPathsMethodsAndTargetsAreRefused) {
  // Also where somebody in between may have been led elsewhere by the same path.
  for (const char* path :
       {"/nothing", "/../etc/passwd", "//", "/embed/../console", "/embed/..", "/game/./7", "/embed/%2E%2e/console",
        "/embed/.%2E%2Fconsole", "/embed/..\\console", "/embed/%5c..%5Cconsole", "/api/v1/games/../session"}) {
    EXPECT_EQ(status(path), 404u) << path;
  }
  const Response post = request("POST", "/");
  EXPECT_EQ(post.result(), http::status::method_not_allowed);
  EXPECT_EQ(post[http::field::allow], "GET, HEAD");
  EXPECT_EQ(request("DELETE", "/api/v1/events").result(), http::status::method_not_allowed);
  EXPECT_EQ(status("/api/v1/events?games=7,x"), 400u);
  EXPECT_EQ(status("/api/v1/events?games=7x"), 400u);
  EXPECT_EQ(request("HEAD", "/healthz").result(), http::status::ok);
  EXPECT_EQ(request("HEAD", "/healthz").body(), "");
}

TEST_F(HttpServerTest, APageOfNothingIsNotFoundAndLeadsElsewhere) {
  publish(opened(7));
  publish(core::RoomSet{.name = "club", .settings = {"games=club-*"}});
  publish(core::RoomSet{.name = "cellar", .settings = {"games=cellar-*", "visibility=hidden"}});
  for (const char* path :
       {"/game/7", "/game/7/0", "/game/7/99", "/embed/7/2", "/overlay/7", "/room/main", "/room/club"}) {
    EXPECT_EQ(status(path), 200u) << path;
  }
  const std::string index = get("/").body();
  for (const char* path :
       {"/game/8", "/game/x", "/game/7/", "/game/7/x", "/game/7/8/9", "/game/-7", "/embed/8", "/overlay/7/8/9",
        "/room/hall", "/room/cellar", "/tournament/cup", "/player/alice%2B1", "/player/a%zz"}) {
    const Response page = get(path);
    EXPECT_EQ(page.result_int(), 404u) << path;
    EXPECT_EQ(page[http::field::content_type], "text/html; charset=utf-8") << path;
    EXPECT_EQ(page.body(), index) << path;
  }
  const Headers browser = {{"Accept", "text/html,*/*;q=0.8"}};
  EXPECT_EQ(get("/nothing", browser).body(), index);
  EXPECT_EQ(get("/nothing", browser).result_int(), 404u);
  EXPECT_EQ(get("/nothing").body(), "Not Found\n");
  EXPECT_EQ(get("/api/v2", browser).body(), "Not Found\n");
}

TEST_F(HttpServerTest, OneGameIsToldInWhole) {
  publish(opened(7));
  publish(moved(7, 1, "+7776FU"));
  const Response game = get("/api/v1/games/7");
  EXPECT_EQ(game[http::field::content_type], "application/json");
  EXPECT_THAT(game.body(), HasSubstr(R"("comments":[])"));
  for (const char* path :
       {"/api/v1/games/8", "/api/v1/games/", "/api/v1/games/x", "/api/v1/games/7/", "/api/v1/games/-7"}) {
    EXPECT_EQ(status(path), 404u) << path;
  }
}

// One of two servers would take what follows for another request.
TEST_F(HttpServerTest, W5_NonsenseAndWhatCanBeReadInTwoWaysIsRefusedAndEndsTheConnection) {
  const std::string get = "GET /healthz HTTP/1.1\r\n", host = "Host: x\r\n",
                    inner = get + "Host: inner\r\nConnection: close\r\n\r\n";
  const std::pair<std::string, const char*> kinds[] = {
      {"LOGIN alice pw x1\r\n\r\n", "400"},
      {get + host + "Transfer-Encoding: gzip\r\n\r\n", "501"},
      {get + host + "Transfer-Encoding: identity\r\n\r\n", "501"},
      {get + host + "Transfer-Encoding: xchunked\r\n\r\n", "501"},
      {get + host + "Transfer-Encoding:\r\n\r\n", "501"},
      {get + host + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501"},
      {"GET /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
      {get + "\r\n", "400"},
      {get + host + host + "\r\n", "400"},
      {get + "Host:\r\n\r\n", "400"},
      {get + "Host: x/y\r\n\r\n", "400"},
      {get + "Host: a@b\r\n\r\n", "400"},
      {get + host + "X: a\r\n b\r\n\r\n", "400"},
      {get + host + "X: a\r\n\tb: c\r\n\r\n", "400"},
      {get + " X: a\r\n" + host + "\r\n", "400"},
      // Fields behind the body would stand behind what a proxy says of the caller.
      {get + host + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n", "400"},
      {get + host + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n z\r\n\r\n", "400"},
  };
  for (const auto& [said, status] : kinds) {
    const std::string told = answer(said + inner);
    EXPECT_THAT(told, StartsWith("HTTP/1.1 " + std::string(status))) << said;
    EXPECT_EQ(told.find("HTTP/1.1 ", 1), std::string::npos) << said << told;
  }
}

// Its bytes come as they come, and requests share a connection.
TEST_F(HttpServerTest, ABodyOfAnyKindIsReadToItsEnd) {
  Client client(address);
  const std::string again = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: [::1]:80\r\ntransfer-encoding: Chunked\r\n\r\n2\r\n a\r\n0\r\n\r\n";
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n\n a\n" + chunked + again);
  for (const char* status : {"405", "405", "200"}) {
    EXPECT_THAT(client.until("\r\n\r\n"), HasSubstr("HTTP/1.1 " + std::string(status)));
    if (std::string_view(status) == "405") client.until("Method Not Allowed\n");
  }
  EXPECT_EQ(client.line(), "ok");
  for (const char c : chunked) client.send(std::string(1, c));
  EXPECT_THAT(client.until("\r\n\r\n"), HasSubstr("HTTP/1.1 405"));
  EXPECT_THAT(answer("GET /healthz HTTP/1.0\r\n\r\n"), HasSubstr("200 OK"));
}

// Else both wait until the time for a request is over.
TEST_F(HttpServerTest, WhoWaitsForAWordBeforeTheBodyGetsOne) {
  const std::string post = "POST / HTTP/1.1\r\nHost: x\r\n", length = "Content-Length: 2\r\n\r\n";
  Client waits(address);
  waits.send(post + "expect: 100-Continue\r\n" + length);
  EXPECT_EQ(waits.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  waits.send("ab");
  EXPECT_THAT(waits.until("\r\n\r\n"), StartsWith("HTTP/1.1 405"));
  const std::pair<std::string, std::string> finals[] = {
      {"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n", "200"},  // nothing is to come
      {post + "Expect: 100-continue\r\n" + length + "ab", "405"},                   // it is there
      {post + "Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n", "413"},
      {"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", "417"}};
  for (const auto& [said, status] : finals) EXPECT_THAT(first_line(said), StartsWith("HTTP/1.1 " + status)) << said;
}

// A page of somebody else whose name has been made to lead here asks under that name.
TEST_F(HttpServerTest, FiguresAreGivenUnderOurOwnNamesOnly) {
  start({.hosts = {"figures.example"}, .metrics_from = [](std::string_view peer) { return peer == "127.0.0.1"; }});
  for (const char* host : {"localhost:8081", "Figures.example:9"}) {
    EXPECT_EQ(get("/metrics", {{"Host", host}}).result_int(), 200u) << host;
  }
  const Response refusal = get("/metrics", {{"Host", "evil.example"}});
  EXPECT_EQ(refusal.result_int(), 403u);
  EXPECT_THAT(refusal.body(), HasSubstr("web-host"));
}

// Else a client could say through a proxy who he is: what stands last counts.
TEST_F(HttpServerTest, AFieldBehindTheBodyIsNoHeader) {
  start({.web = {.proxy = [](std::string_view peer) { return peer == "127.0.0.1"; }},
         .metrics_from = [](std::string_view peer) { return peer == "192.0.2.7"; }});
  const std::string head = "GET /metrics HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.9\r\n";
  EXPECT_THAT(first_line(head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"), HasSubstr("403"));
  const std::string trailer = "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n";
  EXPECT_THAT(answer(head + trailer), StartsWith("HTTP/1.1 400"));
  Client in_parts(address);
  for (const char c : head + trailer) in_parts.send(std::string(1, c));
  EXPECT_THAT(in_parts.rest().value_or("still open"), StartsWith("HTTP/1.1 400"));
}

TEST_F(HttpServerTest, W5_HeaderAndBodyHaveLimits) {
  const std::string get = "GET /healthz HTTP/1.1\r\nHost: x\r\nX: ";
  EXPECT_THAT(first_line(get + std::string(8000, 'a') + "\r\n\r\n"), HasSubstr("200"));
  EXPECT_THAT(first_line(get + std::string(8192, 'a') + "\r\n\r\n"), HasSubstr("431"));
  EXPECT_THAT(first_line("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n"), HasSubstr("413"));
}

TEST_F(HttpServerTest, W5_ASlowHeaderIsNotWaitedFor) {
  start({.request_deadline = milliseconds(1)});
  EXPECT_EQ(answer("GET /healthz HTT"), "");
}

TEST_F(HttpServerTest, W5_AnAddressHasSoManyConnectionsAndNoMore) {
  start({.connections_per_address = 3});
  std::vector<std::unique_ptr<Client>> readers;
  for (int i = 0; i < 3; ++i) readers.push_back(follow());
  EXPECT_THAT(head, HasSubstr("200 OK"));
  EXPECT_EQ(Client(address).rest(), "");
  readers.pop_back();  // and one that leaves makes room
  EXPECT_TRUE(test::eventually([&] { return is_served(); }));
}

TEST_F(HttpServerTest, AnExemptAddressMayHaveMore) {
  start({.connections_per_address = 1, .exempt = [](std::string_view peer) { return peer == "127.0.0.1"; }});
  const auto first = follow(), second = follow();
  EXPECT_THAT(head, HasSubstr("200 OK"));
}

// ---- events ----

TEST_F(HttpServerTest, AStreamBeginsWithASnapshotAndGoesOnWithEvents) {
  publish(opened(7));
  const auto reader = follow();
  EXPECT_THAT(head, HasSubstr("text/event-stream"));
  EXPECT_THAT(head, HasSubstr("X-Accel-Buffering: no"));
  EXPECT_THAT(reader->until("\n\n"), StartsWith("retry: 500\nid: 1\nevent: snapshot\ndata: {\"v\":1,"));
  publish(moved(7, 1, "+7776FU"));
  EXPECT_THAT(reader->until("\n\n"), StartsWith("id: 2\nevent: moved\n"));
  EXPECT_THAT(follow()->until("\n\n"), StartsWith("retry: 507\nid: 2\n")) << "not all of them at once";
}

std::string unpacked(std::string_view bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_SYNC_FLUSH), Z_OK);
  EXPECT_EQ(stream.avail_in, 0u);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(PackedStream, CanBeReadEventByEvent) {
  std::string large;
  for (int i = 0; i < 9'000; ++i) large += fmt::format("{} ", i * i);
  std::string sent(packed_begin());
  EXPECT_EQ(unpacked(sent + packed("tick")), "tick");
  sent += packed(large);
  EXPECT_LT(sent.size(), large.size() * 2 / 3);
  EXPECT_EQ(unpacked(sent), large) << "before anything follows";
  std::string noise;
  for (unsigned i = 0, state = 7; i < 200'000; ++i)
    noise += static_cast<char>((state = state * 1103515245 + 12345) >> 24);
  EXPECT_EQ(unpacked(sent + packed("a move") + packed(noise)), large + "a move" + noise);
}

TEST_F(HttpServerTest, AStreamIsPackedForWhoSaysThatHeUnpacksIt) {
  for (std::uint64_t id = 1; id <= 20; ++id) publish(opened(id));
  const auto client = follow("", "Accept-Encoding: gzip, br\r\n");
  EXPECT_THAT(head, HasSubstr("Content-Encoding: gzip\r\n"));
  const std::string sent = client->until(std::string_view("\0\0\xff\xff", 4));  // an empty block
  const std::string told = unpacked(sent);
  EXPECT_THAT(told, HasSubstr("event: snapshot"));
  EXPECT_LT(sent.size() * 4, told.size());
  follow("", "Accept-Encoding: gzip;q=0\r\n");
  EXPECT_THAT(head, Not(HasSubstr("Content-Encoding")));
}

// By the clock, and nobody has to ask: what waited since before the start, and what is published.
TEST_F(HttpServerTest, WhatIsShownLateComesWhenItIsDue) {
  const auto move = [&](int ply, std::string csa) {
    core::MoveMade fact = moved(7, ply, std::move(csa));
    fact.at = core::Wall{now_us};
    return fact;
  };
  const auto pass_ms = [&](std::int64_t ms) { now_us += ms * 1000; };
  core::Recovery recovered{.last = core::Seq{2}};
  recovered.live = {{core::Seq{1}, opened(7)}, {core::Seq{2}, move(1, "+7776FU")}};
  pass_ms(999);  // the server looks every millisecond whether it is time
  start({.now = clock, .delays = {{"g-*", {.seconds = 1}}}}, recovered);
  const auto reader = follow();
  EXPECT_THAT(reader->until("\n\n"), AllOf(HasSubstr("snapshot"), HasSubstr("seconds"), Not(HasSubstr("7776"))));
  publish(move(2, "-3334FU"));
  EXPECT_THAT(get("/api/v1/games/7").body(), Not(HasSubstr("7776")));
  pass_ms(1);
  std::string event = reader->until("\n\n");
  EXPECT_THAT(event, HasSubstr("+7776FU"));
  EXPECT_THAT(get("/api/v1/games/7").body(), Not(HasSubstr("3334")));
  pass_ms(999);
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("-3334FU"));
  // Who comes again with the id of the first of them gets the second one.
  const std::string id = event.substr(4, event.find('\n') - 4);
  EXPECT_LT(std::stoull(id), 1ull << 53);
  const std::string seen = "Last-Event-ID: " + id + "\r\n";
  EXPECT_THAT(follow("", seen)->until("\n\n"), AllOf(HasSubstr("event: moved"), HasSubstr("-3334FU")));
  // The node has fallen behind, and begins anew: nobody is told early, and no former id counts.
  core::Recovery anew{.last = core::Seq{9}};
  anew.live = {{core::Seq{1}, opened(7)}, {core::Seq{9}, move(1, "+2726FU")}};
  pass_ms(999);
  server->restart(anew);
  EXPECT_THAT(reader->until("\n\n"), AllOf(HasSubstr("snapshot"), Not(HasSubstr("2726"))));
  pass_ms(1);
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("+2726FU"));
  EXPECT_THAT(follow("", seen)->until("\n\n"), HasSubstr("event: snapshot"));
}

// What happens while nobody reads is kept for whoever was here in the last minute.
TEST_F(HttpServerTest, AReaderMayBeAwayForAMinute) {
  start({.now = clock});
  for (const auto& [game, away_us] : {std::pair(7u, 60 * core::kSecond), {8u, 60 * core::kSecond + 1}}) {
    auto reader = follow();
    reader->until("\n\n");
    publish(opened(game));
    const std::string last = reader->until("\n\n");
    reader->hang_up();
    ASSERT_TRUE(test::eventually([&] { return get("/metrics").body().contains("fuhyo_event_readers 0\n"); }));
    now_us += away_us;
    publish(moved(game, 1, "+7776FU"));
    EXPECT_THAT(follow("", "Last-Event-ID: " + last.substr(4, last.find('\n') - 4) + "\r\n")->until("\n\n"),
                HasSubstr(game == 7 ? "event: moved" : "event: snapshot"));
  }
}

TEST_F(HttpServerTest, AReaderResumesWithoutASnapshot) {
  const auto first = follow();
  first->until("\n\n");
  publish(opened(7));
  publish(moved(7, 1, "+7776FU"));
  publish(moved(7, 2, "-3334FU"));
  first->until("id: 3\n");
  const auto again = follow("", "Last-Event-ID: 1\r\n");
  EXPECT_THAT(again->until("\n\n"), StartsWith("retry: 507\nid: 2\nevent: moved\n"));
  EXPECT_THAT(again->until("\n\n"), StartsWith("id: 3\nevent: moved\n"));
  for (const char* unknown : {"99", "-1", "abc", "18446744073709551616"}) {
    const auto lost = follow("", "Last-Event-ID: " + std::string(unknown) + "\r\n");
    EXPECT_THAT(lost->until("\n\n"), HasSubstr("event: snapshot")) << unknown;
  }
}

TEST_F(HttpServerTest, AFilteredStreamHoldsTheseGamesOnly) {
  publish(opened(7));
  publish(opened(8));
  const auto reader = follow("?games=8,9");
  EXPECT_THAT(reader->until("\n\n"), AllOf(HasSubstr("\"games\":[{\"id\":8,"), Not(HasSubstr("\"id\":7,"))));
  publish(opened(6));
  publish(moved(7, 1, "+7776FU"));
  publish(opened(9));
  EXPECT_THAT(reader->until("\n\n"), StartsWith("id: 5\nevent: opened\n"));
}

TEST_F(HttpServerTest, ScriptsReadLines) {
  start({.comment_every = milliseconds(1)});
  publish(opened(7));
  Client client(address);
  client.send("GET /api/v1/events.ndjson?games=7 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.until("\r\n\r\n"), HasSubstr("application/x-ndjson"));
  const boost::json::value snapshot = boost::json::parse(client.until("\n"));
  EXPECT_TRUE(holds(snapshot, R"({"id": 1, "event": "snapshot", "data": {"games": [{"id": 7}]}})"));
  const boost::json::value tick = boost::json::parse(client.until("\n"));
  EXPECT_EQ(tick.at("event"), "tick");
  EXPECT_FALSE(tick.as_object().contains("id"));
}

TEST_F(HttpServerTest, AQuietStreamTellsTheTime) {
  start({.comment_every = milliseconds(1)});
  const auto reader = follow();
  reader->until("\n\n");
  for (int i = 0; i < 2; ++i) EXPECT_THAT(reader->until("\n\n"), StartsWith("event: tick\ndata: {\"v\":1,\"now_ms\":"));
}

// Far more than the small buffers of these two tests hold: some ten kilobytes a hundred events.
std::vector<core::Transaction> many_moves(Numbering& next) {
  std::vector<core::Transaction> transactions = {next(opened(7))};
  for (int ply = 1; ply <= 5000; ++ply)
    transactions.push_back(next(moved(7, ply, ply % 2 == 1 ? "+7776FU" : "-3334FU")));
  return transactions;
}

TEST_F(HttpServerTest, ASlowReaderGetsASnapshotInsteadOfItsBacklog) {
  start({.reader_bytes = 16 * 1024, .socket_bytes = 16 * 1024});
  const auto slow = follow("", "", 4096);
  slow->until("\n\n");
  server->publish(many_moves(next));  // at once: nothing can be read in between
  EXPECT_THAT(slow->until("\n\n"), AllOf(HasSubstr("id: 5001\nevent: snapshot\n"), HasSubstr("-3334FU")));
  publish(opened(8));
  EXPECT_THAT(slow->until("\n\n"), HasSubstr("id: 5002\nevent: opened\n"));
}

TEST_F(HttpServerTest, AReaderThatTakesNothingIsGivenUp) {
  start({.write_deadline = milliseconds(1), .connections_per_address = 1, .socket_bytes = 16 * 1024});
  const auto stuck = follow("", "", 4096);
  server->publish(many_moves(next));
  EXPECT_TRUE(test::eventually([&] { return is_served(); }));
}

TEST_F(HttpServerTest, FactsBeyondTheQueueAreLostToSpectatorsAndSaidToBe) {
  std::promise<std::string> warning;
  start({.queued_facts = 1, .warn = [&](std::string_view text) { warning.set_value(std::string(text)); }});
  server->publish({next(opened(1)), next(moved(1, 1, "+7776FU")), next(moved(1, 2, "-3334FU"))});
  EXPECT_THAT(warning.get_future().get(), HasSubstr("2 facts were lost"));
  const auto reader = follow();
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("alice"));
}

// ---- HTTPS ----

class HttpsServerTest : public HttpServerTest {
 protected:
  void start_tls(HttpOptions options) {
    make(std::move(options));
    server->use(loaded_pair(folder.path(), "first"));
    address = server->listen_tls("127.0.0.1:0").value().front();
    plain = server->listen("127.0.0.1:0").value().front();
    server->start();
  }

  const test::IgnoredSigpipe ignored;
  test::TemporaryFolder folder;
  std::string plain;
};

TEST_F(HttpsServerTest, ServesRequestsAndTellsBrowsersToStay) {
  start_tls({});
  test::TlsClient client(address, 7);
  ASSERT_TRUE(client.handshake());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string answers = client.rest().value_or("");
  EXPECT_THAT(answers, HasSubstr("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answers, HasSubstr("Strict-Transport-Security: max-age="));
  EXPECT_TRUE(answers.ends_with("ok\n"));
  EXPECT_TRUE(client.ended_well());
  Client in_the_clear(plain);
  in_the_clear.send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(in_the_clear.rest().value_or(""), Not(HasSubstr("Strict-Transport")));
}

TEST_F(HttpsServerTest, StreamsEventsAndNoticesThatTheReaderLeaves) {
  start_tls({.connections_per_address = 1});
  {
    test::TlsClient reader(address);
    ASSERT_TRUE(reader.handshake());
    reader.send("GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n");
    while (reader.line().value_or("event: snapshot") != "event: snapshot") {
    }
    publish(opened(7));
    std::optional<std::string> line = reader.line();
    while (line && line != "event: opened") line = reader.line();
    ASSERT_TRUE(line);
    EXPECT_FALSE(test::TlsClient(address).handshake()) << "one connection an address";
  }
  EXPECT_TRUE(test::eventually([&] { return test::TlsClient(address).handshake(); }));
}

TEST_F(HttpsServerTest, AnotherCertificateIsForNewcomers) {
  start_tls({});
  test::TlsClient old(address);
  ASSERT_TRUE(old.handshake());
  server->use(loaded_pair(folder.path(), "second"));
  test::TlsClient fresh(address);
  ASSERT_TRUE(fresh.handshake());
  EXPECT_EQ(old.peer_name(), "first");
  EXPECT_EQ(fresh.peer_name(), "second");
  old.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(old.line(), "HTTP/1.1 200 OK\r");
}

TEST_F(HttpsServerTest, ASlowHandshakeIsNotWaitedFor) {
  start_tls({.handshake_deadline = milliseconds(1)});
  Client silent(address), halting(address);
  halting.send("\x16\x03\x01");
  EXPECT_TRUE(silent.rest().has_value());
  EXPECT_TRUE(halting.rest().has_value());
}

TEST_F(HttpsServerTest, PlainHttpIsNoTls) {
  start_tls({});
  Client client(address);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.rest().value_or("still open, 200 OK"), Not(HasSubstr("200 OK")));
}

}  // namespace
}  // namespace fuhyo::net
