// The web side on loopback: requests, limits, and the stream of events.
#include "server/net/http_server.h"

#include <csignal>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/json.hpp>

#include "server/net/endpoint.h"
#include "server/net/tls_pair.h"
#include "tests/support/certificates.h"
#include "tests/support/tcp_client.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tls_client.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using testing::HasSubstr;
using testing::Not;
using Client = test::TcpClient;
using Response = http::response<http::string_body>;

class HttpServerTest : public testing::Test {
 protected:
  void start(HttpOptions options, const core::Recovery& recovered = {}) {
    server = std::make_unique<HttpServer>(std::move(options), recovered);
    address = server->listen("127.0.0.1:0").value().front();
    server->start();
  }

  Response request(http::verb verb, std::string_view target) {
    boost::asio::io_context io;
    beast::tcp_stream stream(io);
    stream.connect(resolve(address)->front());
    http::request<http::empty_body> message{verb, beast::string_view(target.data(), target.size()), 11};
    message.set(http::field::host, "localhost");
    http::write(stream, message);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.skip(verb == http::verb::head);
    beast::error_code error;
    http::read(stream, buffer, parser, error);
    return parser.release();
  }

  // A reader of the stream that has received the header.
  std::unique_ptr<Client> follow(std::string_view query = "", std::string_view header = "", int receive_buffer = 0) {
    auto client = std::make_unique<Client>(address, receive_buffer);
    client->send("GET /api/v1/events" + std::string(query) + " HTTP/1.1\r\nHost: x\r\n" + std::string(header) + "\r\n");
    head = client->until("\r\n\r\n");
    return client;
  }

  void publish(core::Fact fact) { server->publish({next(std::move(fact))}); }

  Numbering next;
  std::string address, head;
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpServerTest, HealthFollowsTheStore) {
  start({});
  EXPECT_EQ(request(http::verb::get, "/healthz").result(), http::status::ok);
  EXPECT_EQ(request(http::verb::get, "/healthz").body(), "ok\n");
  server->set_healthy(false);
  EXPECT_EQ(request(http::verb::get, "/healthz").result(), http::status::service_unavailable);
}

TEST_F(HttpServerTest, AServerThatIsAboutToEndIsNotReady) {
  start({});
  EXPECT_EQ(request(http::verb::get, "/readyz").result(), http::status::ok);
  server->set_healthy(false);
  EXPECT_EQ(request(http::verb::get, "/readyz").body(), "the store is away\n");
  server->set_healthy(true);
  server->set_not_ready("the server is about to end\n");
  EXPECT_EQ(request(http::verb::get, "/readyz").result(), http::status::service_unavailable);
  EXPECT_EQ(request(http::verb::get, "/readyz").body(), "the server is about to end\n");
  EXPECT_EQ(request(http::verb::get, "/healthz").result(), http::status::ok);
}

TEST_F(HttpServerTest, ThePageComesWithAStrictPolicyAndItsFiles) {
  start({});
  const Response page = request(http::verb::get, "/");
  EXPECT_EQ(page.result(), http::status::ok);
  EXPECT_EQ(page[http::field::content_type], "text/html; charset=utf-8");
  const std::string policy(page["Content-Security-Policy"]);
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("script-src 'self';"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_EQ(page["X-Content-Type-Options"], "nosniff");
  EXPECT_THAT(page.body(), Not(HasSubstr("http://")));
  EXPECT_THAT(page.body(), Not(HasSubstr("https://")));
  EXPECT_EQ(page[http::field::cache_control], "no-cache");
  // Where the page goes by itself.
  EXPECT_EQ(request(http::verb::get, "/game/7/12").body(), page.body());
  EXPECT_EQ(request(http::verb::get, "/game/").result(), http::status::not_found);
  // Only one kind of page may stand in the pages of others.
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
  for (const char* path : {"/embed/7", "/overlay/7", "/assets/", "/healthz", "/api/v1/session"}) {
    const std::string own(request(http::verb::get, path)["Content-Security-Policy"]);
    EXPECT_THAT(own, HasSubstr(std::string_view(path) == "/embed/7" ? "frame-ancestors *" : "frame-ancestors 'none'"))
        << path;
  }
}

class PagesTest : public HttpServerTest {
 protected:
  void start_with_pages() {
    std::filesystem::create_directories(folder / "assets");
    folder.write("index.html", "<p>hello</p>");
    folder.write("assets/a-1.js", "plain");
    folder.write("assets/a-1.js.gz", "zipped");
    folder.write("assets/a-1.js.br", "packed");
    auto assets = Assets::of_folder(folder.path());
    ASSERT_TRUE(assets) << assets.error();
    HttpOptions options;
    options.assets = std::move(*assets);
    start(std::move(options));
  }
  Response get(const std::string& target, const std::string& headers = "") {
    Client client(address);
    client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n");
    const std::string text = client.rest().value_or("");
    http::response_parser<http::string_body> parser;
    parser.eager(true);
    beast::error_code error;
    parser.put(boost::asio::buffer(text), error);
    return parser.release();
  }
  test::TemporaryFolder folder;
};

TEST_F(PagesTest, ComeAsTheBrowserLikesThem) {
  start_with_pages();
  const Response plain = get("/assets/a-1.js");
  EXPECT_EQ(plain.body(), "plain");
  EXPECT_EQ(plain[http::field::content_type], "text/javascript; charset=utf-8");
  EXPECT_EQ(plain[http::field::cache_control], "public, max-age=31536000, immutable");
  EXPECT_EQ(plain[http::field::vary], "Accept-Encoding");
  EXPECT_EQ(plain.count(http::field::content_encoding), 0u);
  for (const auto& [accept, body, coding] : {std::tuple("gzip, deflate, br", "packed", "br"),
                                             {"gzip", "zipped", "gzip"},
                                             {"br;q=0, gzip;q=0.5", "zipped", "gzip"},
                                             {"deflate", "plain", ""},
                                             {"brotli", "plain", ""}}) {
    const Response got = get("/assets/a-1.js", std::string("Accept-Encoding: ") + accept + "\r\n");
    EXPECT_EQ(got.body(), body) << accept;
    EXPECT_EQ(got[http::field::content_encoding], coding) << accept;
  }
}

TEST_F(PagesTest, AreNotSentAgainToWhoHasThem) {
  start_with_pages();
  for (const char* path : {"/", "/game/3", "/assets/a-1.js"}) {
    const std::string etag(get(path)[http::field::etag]);
    ASSERT_EQ(etag.size(), 18u) << path;
    const Response again = get(path, "If-None-Match: \"other\", " + etag + "\r\nAccept-Encoding: br\r\n");
    EXPECT_EQ(again.result(), http::status::not_modified) << path;
    EXPECT_EQ(again.body(), "");
    EXPECT_EQ(get(path, "If-None-Match: \"other\"\r\n").result(), http::status::ok) << path;
  }
}

TEST_F(PagesTest, EventsAreNotSentAgainToWhoHasThem) {
  const core::TournamentSet cup{.name = "cup", .text = "name\tcup\nformat\tround-robin\ntime\t300-10F\n"};
  start({}, {.standing = next(cup)});
  for (const char* path : {"/api/v1/tournaments", "/api/v1/tournaments/cup"}) {
    const Response first = get(path);
    EXPECT_EQ(first.result(), http::status::ok);
    EXPECT_EQ(first[http::field::content_type], "application/json");
    EXPECT_EQ(first[http::field::cache_control], "no-cache");
    const std::string condition = "If-None-Match: " + std::string(first[http::field::etag]) + "\r\n";
    const Response again = get(path, condition);
    EXPECT_EQ(again.result(), http::status::not_modified);
    EXPECT_EQ(again.body(), "");
    EXPECT_EQ(get(path, "If-None-Match: \"x\"\r\n").result(), http::status::ok);
  }
  const std::string condition = "If-None-Match: " + std::string(get("/api/v1/tournaments")[http::field::etag]) + "\r\n";
  publish(core::TournamentPhaseSet{.event = "cup", .phase = core::TournamentPhase::running});
  while (get("/api/v1/tournaments", condition).result() != http::status::ok) std::this_thread::yield();
  EXPECT_THAT(get("/api/v1/tournaments").body(), HasSubstr("\"running\""));
  EXPECT_EQ(get("/api/v1/tournaments/club")[http::field::etag], "");
}

TEST_F(PagesTest, W4_AreThoseOfTheFolderAndNothingElse) {
  start_with_pages();
  EXPECT_EQ(get("/").body(), "<p>hello</p>");
  for (const char* path : {"/assets/a-2.js", "/assets/a-1.js.br", "/assets/", "/assets/../index.html",
                           "/assets/%2e%2e/index.html", "/index.html", "/assets"}) {
    EXPECT_EQ(get(path).result(), http::status::not_found) << path;
  }
  EXPECT_THAT(Assets::of_folder(folder / "nowhere").error(), HasSubstr("nowhere: No such file"));
  EXPECT_THAT(Assets::of_folder(folder / "assets").error(), HasSubstr("there is no index.html"));
}

TEST_F(HttpServerTest, W4_WrongPathsMethodsAndTargetsAreRefused) {
  start({});
  EXPECT_EQ(request(http::verb::get, "/nothing").result(), http::status::not_found);
  EXPECT_EQ(request(http::verb::get, "/../etc/passwd").result(), http::status::not_found);
  EXPECT_EQ(request(http::verb::get, "//").result(), http::status::not_found);
  const Response post = request(http::verb::post, "/");
  EXPECT_EQ(post.result(), http::status::method_not_allowed);
  EXPECT_EQ(post[http::field::allow], "GET, HEAD");
  EXPECT_EQ(request(http::verb::delete_, "/api/v1/events").result(), http::status::method_not_allowed);
  EXPECT_EQ(request(http::verb::get, "/api/v1/events?games=7,x").result(), http::status::bad_request);
  EXPECT_EQ(request(http::verb::head, "/healthz").result(), http::status::ok);
  EXPECT_EQ(request(http::verb::head, "/healthz").body(), "");
}

TEST_F(HttpServerTest, OneGameIsToldInWhole) {
  start({});
  publish(opened(7));
  publish(moved(7, 1, "+7776FU"));
  Response game = request(http::verb::get, "/api/v1/games/7");
  for (int i = 0; i < 200 && game.result() != http::status::ok; ++i) {  // until it has come to the web's thread
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    game = request(http::verb::get, "/api/v1/games/7");
  }
  EXPECT_EQ(game[http::field::content_type], "application/json");
  EXPECT_EQ(game[http::field::cache_control], "no-store");
  EXPECT_THAT(game.body(), HasSubstr(R"("comments":[])"));
  for (const char* path :
       {"/api/v1/games/8", "/api/v1/games/", "/api/v1/games/x", "/api/v1/games/7/", "/api/v1/games/-7"}) {
    EXPECT_EQ(request(http::verb::get, path).result(), http::status::not_found) << path;
  }
}

TEST_F(HttpServerTest, RequestsShareAConnection) {
  start({});
  Client client(address);
  client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.until("ok\n"), HasSubstr("200 OK"));
  EXPECT_THAT(client.until("\r\n\r\n"), HasSubstr("404"));
}

TEST_F(HttpServerTest, W5_NonsenseIsABadRequest) {
  start({});
  Client client(address);
  client.send("LOGIN alice pw x1\r\n\r\n");
  EXPECT_THAT(client.rest().value_or("still open"), HasSubstr("400 Bad Request"));
}

TEST_F(HttpServerTest, W5_HeaderAndBodyHaveLimits) {
  start({});
  Client fits(address), too_long(address), body(address);
  fits.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + std::string(8000, 'a') + "\r\n\r\n");
  EXPECT_THAT(fits.until("\r\n"), HasSubstr("200"));
  too_long.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + std::string(8192, 'a') + "\r\n\r\n");
  EXPECT_THAT(too_long.until("\r\n"), HasSubstr("431"));
  body.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n");
  EXPECT_THAT(body.until("\r\n"), HasSubstr("413"));
}

TEST_F(HttpServerTest, W5_ASlowHeaderIsNotWaitedFor) {
  start({.request_deadline = std::chrono::milliseconds(200)});
  Client client(address);
  client.send("GET /healthz HTT");
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(client.rest(), "");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

TEST_F(HttpServerTest, W5_AnAddressHasSoManyConnectionsAndNoMore) {
  start({.connections_per_address = 3});
  std::vector<std::unique_ptr<Client>> readers;
  for (int i = 0; i < 3; ++i) readers.push_back(follow());
  EXPECT_THAT(head, HasSubstr("200 OK"));
  EXPECT_EQ(Client(address).rest(), "");
  readers.pop_back();  // and one that leaves makes room
  bool served = false;
  for (int i = 0; i < 100 && !served; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    served = follow() && head.find("200 OK") != std::string::npos;
  }
  EXPECT_TRUE(served);
}

TEST_F(HttpServerTest, AnExemptAddressMayHaveMore) {
  HttpOptions options{.connections_per_address = 1};
  options.exempt = [](std::string_view peer) { return peer == "127.0.0.1"; };
  start(std::move(options));
  const auto first = follow(), second = follow();
  EXPECT_THAT(head, HasSubstr("200 OK"));
}

// ---- events ----

TEST_F(HttpServerTest, AStreamBeginsWithASnapshotAndGoesOnWithEvents) {
  start({});
  publish(opened(7));
  const auto reader = follow();
  EXPECT_THAT(head, HasSubstr("text/event-stream"));
  EXPECT_THAT(head, HasSubstr("X-Accel-Buffering: no"));
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("id: 1\nevent: snapshot\ndata: {\"v\":1,"));
  publish(moved(7, 1, "+7776FU"));
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("id: 2\nevent: moved\n"));
}

// By the clock, and nobody has to ask: what waited since before the start, and what is published.
TEST_F(HttpServerTest, WhatIsShownLateComesWhenItIsDue) {
  using namespace std::chrono;
  const auto wall = [] {
    return core::Wall{duration_cast<microseconds>(system_clock::now().time_since_epoch()).count()};
  };
  const auto now_moved = [&](int ply, std::string csa) {
    core::MoveMade fact = moved(7, ply, std::move(csa));
    fact.at = wall();
    return fact;
  };
  HttpOptions options;
  options.delays = {{"g-*", {.seconds = 1}}};
  core::Recovery recovered{.last = core::Seq{2}};
  recovered.live = {{core::Seq{1}, opened(7)}, {core::Seq{2}, now_moved(1, "+7776FU")}};
  const auto begun = steady_clock::now();
  start(std::move(options), recovered);
  const auto reader = follow();
  EXPECT_THAT(reader->until("\n\n"), AllOf(HasSubstr("snapshot"), HasSubstr("seconds"), Not(HasSubstr("7776"))));
  publish(now_moved(2, "-3334FU"));
  std::string event = reader->until("\n\n");
  EXPECT_THAT(event, HasSubstr("+7776FU"));
  EXPECT_GE(steady_clock::now() - begun, milliseconds(990));
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("-3334FU"));
  // Who comes again with the id of the first of them gets the second one.
  const std::string id = event.substr(4, event.find('\n') - 4);
  EXPECT_LT(std::stoull(id), 1ull << 53);
  const auto again = follow("", "Last-Event-ID: " + id + "\r\n");
  event = again->until("\n\n");
  EXPECT_THAT(event, AllOf(HasSubstr("event: moved"), HasSubstr("-3334FU")));
  // The node has fallen behind, and begins anew: nobody is told early, and no former id counts.
  core::Recovery anew{.last = core::Seq{9}};
  anew.live = {{core::Seq{1}, opened(7)}, {core::Seq{9}, now_moved(1, "+2726FU")}};
  const auto restarted = steady_clock::now();
  server->restart(anew);
  EXPECT_THAT(reader->until("\n\n"), AllOf(HasSubstr("snapshot"), Not(HasSubstr("2726"))));
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("+2726FU"));
  EXPECT_GE(steady_clock::now() - restarted, milliseconds(990));
  const auto former = follow("", "Last-Event-ID: " + id + "\r\n");
  EXPECT_THAT(former->until("\n\n"), HasSubstr("event: snapshot"));
}

TEST_F(HttpServerTest, AReaderResumesWithoutASnapshot) {
  start({});
  const auto first = follow();
  first->until("\n\n");
  publish(opened(7));
  publish(moved(7, 1, "+7776FU"));
  publish(moved(7, 2, "-3334FU"));
  first->until("id: 3\n");
  const auto again = follow("", "Last-Event-ID: 1\r\n");
  EXPECT_TRUE(again->until("\n\n").starts_with("id: 2\nevent: moved\n"));
  EXPECT_TRUE(again->until("\n\n").starts_with("id: 3\nevent: moved\n"));
  for (const char* unknown : {"99", "-1", "abc", "18446744073709551616"}) {
    const auto lost = follow("", "Last-Event-ID: " + std::string(unknown) + "\r\n");
    EXPECT_THAT(lost->until("\n\n"), HasSubstr("event: snapshot")) << unknown;
  }
}

TEST_F(HttpServerTest, AFilteredStreamHoldsTheseGamesOnly) {
  start({});
  const auto reader = follow("?games=8,9");
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("\"games\":[]"));
  publish(opened(7));
  publish(moved(7, 1, "+7776FU"));
  publish(opened(9));
  EXPECT_TRUE(reader->until("\n\n").starts_with("id: 3\nevent: opened\n"));
}

TEST_F(HttpServerTest, ScriptsReadLines) {
  start({.comment_every = std::chrono::milliseconds(30)});
  publish(opened(7));
  Client client(address);
  client.send("GET /api/v1/events.ndjson?games=7 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.until("\r\n\r\n"), HasSubstr("application/x-ndjson"));
  const boost::json::value snapshot = boost::json::parse(client.until("\n"));
  EXPECT_EQ(snapshot.at("id"), 1);
  EXPECT_EQ(snapshot.at("event"), "snapshot");
  EXPECT_EQ(snapshot.at("data").at("games").at(0).at("id"), 7);
  const boost::json::value tick = boost::json::parse(client.until("\n"));
  EXPECT_EQ(tick.at("event"), "tick");
  EXPECT_FALSE(tick.as_object().contains("id"));
}

TEST_F(HttpServerTest, AQuietStreamTellsTheTime) {
  start({.comment_every = std::chrono::milliseconds(30)});
  const auto reader = follow();
  reader->until("\n\n");
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(reader->until("\n\n"), testing::StartsWith("event: tick\ndata: {\"v\":1,\"now_ms\":"));
}

// About a megabyte of events: more than the small buffers of these two tests hold.
constexpr int kManyMoves = 5000;

TEST_F(HttpServerTest, ASlowReaderGetsASnapshotInsteadOfItsBacklog) {
  start({.reader_bytes = 16 * 1024, .socket_bytes = 16 * 1024});
  const auto slow = follow("", "", 4096);
  slow->until("\n\n");
  publish(opened(7));
  for (int ply = 1; ply <= kManyMoves; ++ply) publish(moved(7, ply, ply % 2 == 1 ? "+7776FU" : "-3334FU"));
  publish(ended(7));
  const auto tells_the_end = [](const std::string& event) {
    return event.find("event: ended\n") != std::string::npos || event.find("\"state\":\"ended\"") != std::string::npos;
  };
  std::size_t moves = 0, snapshots = 0;
  for (std::string event = slow->until("\n\n"); !tells_the_end(event); event = slow->until("\n\n")) {
    ASSERT_TRUE(event.ends_with("\n\n")) << "nothing says that the game has ended";
    moves += event.find("event: moved\n") != std::string::npos;
    snapshots += event.find("event: snapshot\n") != std::string::npos;
  }
  EXPECT_LT(moves, static_cast<std::size_t>(kManyMoves) / 2);
  EXPECT_LT(snapshots, 10u);
  publish(opened(8));
  EXPECT_THAT(slow->until("event: opened\n"), HasSubstr("id: " + std::to_string(kManyMoves + 3) + "\n"));
}

TEST_F(HttpServerTest, AReaderThatTakesNothingIsGivenUp) {
  start({.write_deadline = std::chrono::milliseconds(300), .connections_per_address = 1, .socket_bytes = 16 * 1024});
  const auto stuck = follow("", "", 4096);
  publish(opened(7));
  for (int ply = 1; ply <= kManyMoves; ++ply) publish(moved(7, ply, "+7776FU"));
  bool replaced = false;
  for (int i = 0; i < 200 && !replaced; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto next_reader = follow();
    replaced = head.find("200 OK") != std::string::npos;
  }
  EXPECT_TRUE(replaced);
}

TEST_F(HttpServerTest, FactsBeyondTheQueueAreLostToSpectatorsAndSaidToBe) {
  std::promise<std::string> warning;
  HttpOptions options{.queued_facts = 1};
  options.warn = [&](std::string_view text) { warning.set_value(std::string(text)); };
  start(std::move(options));
  server->publish({next(opened(1)), next(moved(1, 1, "+7776FU")), next(moved(1, 2, "-3334FU"))});
  EXPECT_THAT(warning.get_future().get(), HasSubstr("2 facts were lost"));
  const auto reader = follow();
  EXPECT_THAT(reader->until("\n\n"), HasSubstr("alice"));
}

// ---- HTTPS ----

class HttpsServerTest : public HttpServerTest {
 protected:
  HttpsServerTest() { std::ignore = std::signal(SIGPIPE, SIG_IGN); }

  void start_tls(HttpOptions options) {
    server = std::make_unique<HttpServer>(std::move(options), core::Recovery{});
    server->use(pair("first"));
    address = server->listen_tls("127.0.0.1:0").value().front();
    plain = server->listen("127.0.0.1:0").value().front();
    server->start();
  }
  std::shared_ptr<const TlsPair> pair(const std::string& name) {
    using namespace std::chrono;
    const auto files = test::write_pair(folder.path(), name);
    const auto now = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
    return TlsPair::load(files.certificate, files.key, now).value();
  }

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
    std::string line;
    while (line != "event: opened") {
      auto next_line = reader.line();
      ASSERT_TRUE(next_line);
      line = *next_line;
    }
    EXPECT_FALSE(test::TlsClient(address).handshake()) << "one connection an address";
  }
  bool again = false;
  for (int i = 0; i < 100 && !again; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    again = test::TlsClient(address).handshake();
  }
  EXPECT_TRUE(again);
}

TEST_F(HttpsServerTest, AnotherCertificateIsForNewcomers) {
  start_tls({});
  test::TlsClient old(address);
  ASSERT_TRUE(old.handshake());
  server->use(pair("second"));
  test::TlsClient fresh(address);
  ASSERT_TRUE(fresh.handshake());
  EXPECT_EQ(old.peer_name(), "first");
  EXPECT_EQ(fresh.peer_name(), "second");
  old.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(old.line(), "HTTP/1.1 200 OK\r");
}

TEST_F(HttpsServerTest, ASlowHandshakeIsNotWaitedForAndPlainHttpIsNoTls) {
  start_tls({.handshake_deadline = std::chrono::milliseconds(200)});
  Client silent(address), halting(address), plain_one(address);
  halting.send("\x16\x03\x01");
  plain_one.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(silent.rest().has_value());
  EXPECT_TRUE(halting.rest().has_value());
  EXPECT_THAT(plain_one.rest().value_or("still open"), Not(HasSubstr("200 OK")));
}

}  // namespace
}  // namespace fuhyo::net
