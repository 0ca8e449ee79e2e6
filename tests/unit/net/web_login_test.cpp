// The web login over HTTP on loopback, with a core of the test's own: ports, cookies, sessions, commands; and every way
// for everybody who may come (W10).
#include <atomic>
#include <fmt/ranges.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "server/net/http_routes.h"
#include "server/net/web_guard.h"
#include "server/net/web_json.h"
#include "tests/support/tcp_client.h"
#include "tests/unit/net/fake_analyst.h"
#include "tests/unit/net/fake_catalogue.h"
#include "tests/unit/net/http_fixture.h"
#include "tests/unit/net/json_parts.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

using core::kSecond;
using core::Role;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kSession = "/api/v1/session", kAdmin = "/api/v1/admin";
const std::string kHana = R"({"name":"hana","password":"anah"})", kGames = R"({"command":"games"})";
const std::string kLogin =
    "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 33\r\n\r\n" +
    kHana;

// Who is whom; the password is the name backwards, and aki has a second factor.
const std::map<std::string, Role> kAccounts = {{"pon", Role::player}, {"hana", Role::host}, {"aki", Role::admin}};

core::WebLoginAnswer judge(const core::WebLogin& login) {
  core::WebLoginAnswer answer{.token = login.token};
  const auto account = kAccounts.find(login.name);
  if (login.name == "hasty") answer.wait_s = 60;
  if (account == kAccounts.end() || login.password.reveal() != std::string(login.name.rbegin(), login.name.rend())) {
    return answer;
  }
  answer.needs_code = login.name == "aki" && login.code.empty();
  answer.ok = login.name != "aki" || login.code == "123456";
  answer.name = account->first;
  answer.role = account->second;
  return answer;
}

class WebLoginTest : public HttpFixture {
 protected:
  void SetUp() override { begin({}); }
  void begin(WebOptions web) {
    web.log_in = [this](const core::WebLogin& login) {
      asked_about.push_back(login.name + " from " + login.address + (login.confirm ? " again" : ""));
      if (!silent) server->answer(judge(login));
      ++asked;
    };
    web.admin = [this](const core::AdminLine& line) {
      lines.push_back(line);
      if (silent) return;
      server->answer(
          core::AdminReply{.token = line.token,
                           .result = {.ok = true, .text = "did " + line.text, .columns = {"a"}, .rows = {{"b"}}},
                           .after = {}});
    };
    web.why_no_password = [](std::string_view name, const csa::Secret& password) -> std::optional<std::string> {
      if (password.reveal() == "1234567") return std::string(name) + " wants a longer one";
      return std::nullopt;
    };
    web.choose = [this](const NewPassword& chosen) {
      chosen_passwords.push_back(chosen.name + ": " + std::string(chosen.password.reveal()));
      const bool ok = chosen.name != "pon";
      server->answer(core::AdminReply{.token = chosen.token, .result = {.ok = ok, .text = "pon may not"}, .after = {}});
    };
    web.secrets = {
        .random_id = [this] { return "id-number-" + std::to_string(++ids); },
        .keyed_hash = [](std::string_view text) { return "hash-" + std::string(text.rbegin(), text.rend()); }};
    web.proxy = [](std::string_view peer) { return peer == "127.0.0.1"; };
    web.now = [this] { return core::Instant{now_us}; };
    start({.exempt = everybody,
           .web = std::move(web),
           .archive = {.catalogue = std::make_shared<FakeCatalogue>(), .analyst = std::make_shared<FakeAnalyst>()}});
  }

  // As a browser sends it that came through the proxy by https, but for `headers`.
  Response request(std::string_view method, std::string_view path, const std::string& body = "{}",
                   const Headers& headers = {}) {
    Headers all = {{"Host", "shogi.example"},         {"Origin", "https://shogi.example"},
                   {"Sec-Fetch-Site", "same-origin"}, {"Content-Type", "application/json"},
                   {"X-Forwarded-For", "192.0.2.7"},  {"X-Forwarded-Proto", "https"}};
    for (const auto& [name, value] : headers) all[name] = value;
    return HttpFixture::request(method, path, all, method == "GET" || method == "HEAD" ? "" : body);
  }

  // Returns the cookie that a browser then sends.
  std::string log_in(const std::string& name, const Headers& headers = {}) {
    const std::string password(name.rbegin(), name.rend());
    json::object body{{"name", name}, {"password", password}};
    if (name == "aki") body["code"] = "123456";
    const Response response = request("POST", kSession, json::serialize(body), headers);
    EXPECT_EQ(response.result_int(), 204u) << response.body();
    const std::string cookie(response[http::field::set_cookie]);
    return cookie.substr(0, cookie.find(';'));
  }
  std::string csrf(const std::string& cookie, Headers headers = {}) {
    headers["Cookie"] = cookie;
    const Response response = request("GET", kSession, "", headers);
    if (response.result_int() != 200) return "";
    return std::string(json::parse(response.body()).at("csrf").as_string());
  }
  Headers own(const std::string& cookie) { return {{"Cookie", cookie}, {"X-Fuhyo-CSRF", csrf(cookie)}}; }
  unsigned status(std::string_view method, std::string_view path, const Headers& headers,
                  const std::string& body = "{}") {
    return request(method, path, body, headers).result_int();
  }

  std::vector<std::string> asked_about;  // the web thread's, while a request is under way
  std::vector<std::string> chosen_passwords;
  std::vector<core::AdminLine> lines;
  std::atomic<bool> silent{false};
  std::atomic<int> asked{0};
  std::atomic<std::int64_t> now_us{0};
  int ids = 0;
};

// ---- logging in ----

TEST_F(WebLoginTest, W6_ALoginGivesACookieAndASession) {
  const Response response = request("POST", kSession, kHana);
  EXPECT_EQ(response.result_int(), 204u);
  EXPECT_EQ(response.body(), "");
  EXPECT_EQ(response[http::field::set_cookie], "__Host-fuhyo=id-number-1; Path=/; Secure; HttpOnly; SameSite=Strict");
  EXPECT_EQ(response[http::field::cache_control], "no-store");
  EXPECT_THAT(asked_about, ElementsAre("hana from 192.0.2.7"));
  const Response session = request("GET", kSession, "", {{"Cookie", "__Host-fuhyo=id-number-1"}});
  EXPECT_EQ(session.result_int(), 200u);
  EXPECT_EQ(session[http::field::content_type], "application/json");
  const json::value told = json::parse(session.body());
  EXPECT_TRUE(holds(told, R"({"name": "hana", "role": "host", "confirmed": true, "idle_s": 1800, "ends_s": 43200})"));
  EXPECT_NE(told.at("csrf"), "");
}

TEST_F(WebLoginTest, WhatIsWrongIsSaidWithoutSayingWhich) {
  const Response wrong = request("POST", kSession, R"({"name":"hana","password":"x"})");
  const Response unknown = request("POST", kSession, R"({"name":"nobody","password":"x"})");
  EXPECT_EQ(wrong.result_int(), 401u);
  EXPECT_EQ(unknown.result_int(), 401u);
  EXPECT_EQ(wrong.body(), unknown.body());
  EXPECT_FALSE(json::parse(wrong.body()).as_object().contains("logged_out"));
  EXPECT_EQ(json::parse(request("GET", kSession, "").body()).at("logged_out"), true);
  EXPECT_EQ(wrong[http::field::set_cookie], "");
  const Response hasty = request("POST", kSession, R"({"name":"hasty","password":"x"})");
  EXPECT_EQ(hasty.result_int(), 429u);
  EXPECT_EQ(hasty[http::field::retry_after], "60");
}

TEST_F(WebLoginTest, ASecondFactorIsAskedFor) {
  const Response without = request("POST", kSession, R"({"name":"aki","password":"ika"})");
  EXPECT_EQ(without.result_int(), 401u);
  EXPECT_EQ(json::parse(without.body()).at("needs_code"), true);
  EXPECT_EQ(status("POST", kSession, {}, R"({"name":"aki","password":"ika","code":"654321"})"), 401u);
  EXPECT_EQ(status("POST", kSession, {}, R"({"name":"aki","password":"ika","code":"123456"})"), 204u);
}

TEST_F(WebLoginTest, BadBodiesAreRefusedUnasked) {
  const std::vector<std::string> too_much = {R"({"name":")" + std::string(65, 'a') + R"(","password":"x"})",
                                             R"({"name":"hana","password":")" + std::string(1025, 'x') + R"("})",
                                             R"({"name":"hana","password":"x","code":"12345678901234567"})",
                                             std::string(1000, '[')};
  for (const std::string& body : too_much) EXPECT_EQ(status("POST", kSession, {}, body), 400u) << body;
  for (const char* body :
       {"", "name=hana&password=anah", "[]", "null", R"({"name":"hana"})", R"({"password":"anah"})",
        R"({"name":"","password":"anah"})", R"({"name":"hana","password":""})", R"({"name":1,"password":"anah"})",
        R"({"name":"hana","password":["anah"]})", R"({"name":"hana","password":"anah","code":123456})",
        R"({"name":"hana","password":"anah"}})"}) {
    EXPECT_EQ(status("POST", kSession, {}, body), 400u) << body;
  }
  EXPECT_EQ(status("POST", kSession, {}, R"({"name":"x","password":")" + std::string(65'536, 'x') + R"("})"), 413u);
  EXPECT_THAT(asked_about, IsEmpty());
}

TEST_F(WebLoginTest, W6_AnotherLoginEndsTheSessionThatTheBrowserHad) {
  const std::string first = log_in("hana");
  const std::string second = log_in("hana", {{"Cookie", first}});
  EXPECT_NE(first, second) << "nobody's id from before a login is good after it";
  EXPECT_EQ(csrf(first), "");
  EXPECT_NE(csrf(second), "");
}

TEST_F(WebLoginTest, W7_APasswordIsNotTakenInTheClear) {
  const Headers plain = {{"X-Forwarded-Proto", "http"}, {"Origin", "http://shogi.example"}};
  const Response refused = request("POST", kSession, kHana, plain);
  EXPECT_EQ(refused.result_int(), 403u);
  EXPECT_THAT(refused.body(), HasSubstr("https"));
  const Headers direct = {{"X-Forwarded-Proto", ""}, {"X-Forwarded-For", ""}, {"Origin", ""}};
  EXPECT_EQ(status("POST", kSession, direct, kHana), 403u) << "loopback by a foreign name";
  EXPECT_THAT(asked_about, IsEmpty());
}

TEST_F(WebLoginTest, ABrowserOfTheMachineItselfNeedsNoTls) {
  const Headers local = {{"X-Forwarded-Proto", ""},
                         {"X-Forwarded-For", ""},
                         {"Host", "localhost:8081"},
                         {"Origin", "http://localhost:8081"}};
  const Response response = request("POST", kSession, kHana, local);
  EXPECT_EQ(response.result_int(), 204u);
  EXPECT_EQ(response[http::field::set_cookie], "fuhyo=id-number-1; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_NE(csrf("fuhyo=id-number-1", local), "");
  EXPECT_EQ(csrf("fuhyo=id-number-1"), "") << "a cookie of the plain way is none over https";
  EXPECT_EQ(csrf("__Host-fuhyo=id-number-1", local), "");
  Headers remote = local;
  remote["X-Forwarded-For"] = "192.0.2.9";
  EXPECT_EQ(csrf("fuhyo=id-number-1", remote), "") << "and none from elsewhere";
}

// ---- requests that another page made ----

TEST_F(WebLoginTest, W2_ForeignPagesChangeNothing) {
  const std::string cookie = log_in("hana");
  const Headers good = own(cookie);
  const auto with = [&](const std::string& name, const std::string& value) {
    Headers headers = good;
    headers[name] = value;
    return status("POST", kAdmin, headers, kGames);
  };
  EXPECT_EQ(with("Origin", "https://evil.example"), 403u);
  EXPECT_EQ(with("Sec-Fetch-Site", "cross-site"), 403u);
  EXPECT_EQ(with("Content-Type", "application/x-www-form-urlencoded"), 415u);
  EXPECT_EQ(with("Content-Type", "text/plain"), 415u);
  EXPECT_EQ(with("X-Fuhyo-CSRF", ""), 403u);
  EXPECT_EQ(with("X-Fuhyo-CSRF", "x"), 403u);
  EXPECT_EQ(with("X-Fuhyo-CSRF", csrf(log_in("hana"))), 403u) << "that of another session";
  EXPECT_EQ(with("Cookie", ""), 401u);
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_EQ(with("Origin", ""), 200u);
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_EQ(status("POST", kSession, {{"Origin", "https://evil.example"}}, kHana), 403u)
      << "nor does anybody log somebody in";
}

TEST_F(WebLoginTest, W2_NobodyElseMayReadTheAnswers) {
  const std::string cookie = log_in("hana");
  const Response response = request("GET", kSession, "", {{"Cookie", cookie}, {"Origin", "https://evil.example"}});
  EXPECT_EQ(response["Access-Control-Allow-Origin"], "");
}

// ---- the ends of a session ----

TEST_F(WebLoginTest, W6_ASessionEndsHalfAnHourAfterItsLastCommand) {
  const std::string cookie = log_in("hana");
  now_us = 20 * 60 * kSecond;
  EXPECT_EQ(status("POST", kAdmin, own(cookie), kGames), 200u);
  now_us = 50 * 60 * kSecond - 1;
  EXPECT_NE(csrf(cookie), "") << "asking for it is not using it";
  now_us = 50 * 60 * kSecond;
  EXPECT_EQ(csrf(cookie), "");
}

TEST_F(WebLoginTest, W6_ALogoutEndsOneOrAll) {
  const std::string one = log_in("hana"), two = log_in("hana"), three = log_in("hana"), other = log_in("pon");
  const Response list = request("GET", "/api/v1/sessions", "", {{"Cookie", two}});
  EXPECT_TRUE(holds(json::parse(list.body()),
                    R"({"sessions": [{"current": false, "address": "192.0.2.7"}, {"current": true}, {}]})"));
  EXPECT_THAT(list.body(), Not(HasSubstr("id-number")));
  const Response out = request("DELETE", kSession, "{}", own(one));
  EXPECT_EQ(out.result_int(), 204u);
  EXPECT_THAT(std::string(out[http::field::set_cookie]), StartsWith("__Host-fuhyo=; "));
  EXPECT_EQ(csrf(one), "");
  EXPECT_NE(csrf(two), "");
  EXPECT_EQ(status("DELETE", "/api/v1/sessions", own(two)), 204u);
  EXPECT_EQ(csrf(three), "");
  EXPECT_NE(csrf(other), "") << "somebody else's";
}

TEST_F(WebLoginTest, W6_TheServerEndsSessionsByName) {
  const std::string cookie = log_in("hana"), other = log_in("pon");
  server->end_web_sessions("hana");
  EXPECT_EQ(csrf(cookie), "");
  EXPECT_NE(csrf(other), "");
}

// ---- commands ----

TEST(AdminRows, ArePagesOfWhatIsSearchedFor) {
  core::AdminResult all{.ok = true, .text = "9 games", .columns = {"name", "where"}, .rows = {}};
  for (int i = 1; i <= 9; ++i) all.rows.push_back({"alice" + std::to_string(i), i % 2 == 0 ? "Hall" : "lobby"});
  const auto told = [&all](const RowsWanted& wanted) {
    const json::value answer = json::parse(admin_result_json(all, wanted));
    std::string rows;
    for (const json::value& row : answer.at("rows").as_array()) rows += row.at(0).as_string().back();
    return rows + " at " + std::to_string(answer.at("offset").as_int64()) + " of " +
           std::to_string(answer.at("total").as_int64());
  };
  EXPECT_EQ(told({}), "123456789 at 0 of 9");
  EXPECT_EQ(told({.search = "hall"}), "2468 at 0 of 4");
  EXPECT_EQ(told({.search = "ALICE", .offset = 4, .limit = 4}), "5678 at 4 of 9");
  EXPECT_EQ(told({.search = {}, .last_first = true, .limit = 2}), "98 at 0 of 9");
  EXPECT_EQ(told({.search = {}, .offset = 99, .limit = 4}), "9 at 8 of 9") << "the list has become shorter";
  EXPECT_EQ(told({.search = "nobody", .offset = 4, .limit = 4}), " at 0 of 0");
}

TEST_F(WebLoginTest, ACommandGoesToTheCoreAndItsAnswerBack) {
  const std::string cookie = log_in("hana");
  const Response response = request("POST", kAdmin, R"({"command":"pause 12","reason":"power cut"})", own(cookie));
  EXPECT_EQ(response.result_int(), 200u);
  EXPECT_EQ(response.body(),
            R"({"ok":true,"text":"did pause 12 power cut","columns":["a"],"rows":[["b"]],"offset":0,"total":1})");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].who, "hana");
  EXPECT_EQ(lines[0].via, "web 192.0.2.7");
  EXPECT_EQ(lines[0].role, Role::host);
  EXPECT_GE(lines[0].token, std::uint64_t{1} << 63) << "the other ones are the administration socket's";
  for (const char* body : {"", "{}", R"({"command":""})", R"({"command":7})", R"({"command":"games","reason":1})",
                           R"({"command":"games","limit":1001})", R"({"command":"games","offset":-1})",
                           R"({"command":"games","search":7})", R"({"command":"games","last_first":"yes"})"}) {
    EXPECT_EQ(status("POST", kAdmin, own(cookie), body), 400u) << body;
  }
}

TEST_F(WebLoginTest, W6_WhatIsDangerousWantsThePasswordAgain) {
  const std::string cookie = log_in("aki");
  const auto drain = [&](const char* command = "drain") {
    return request("POST", kAdmin, json::serialize(json::object{{"command", command}}), own(cookie));
  };
  EXPECT_EQ(drain().result_int(), 200u) << "he has just logged in";
  now_us = 5 * 60 * kSecond;
  const Response refused = drain();
  EXPECT_EQ(refused.result_int(), 403u);
  EXPECT_EQ(json::parse(refused.body()).at("confirm"), true);
  for (const char* spelled : {"DRAIN", "  drain", "\tdrain", "drain\tx",
                              "\x01"
                              "drain"}) {
    EXPECT_EQ(drain(spelled).result_int(), 403u) << spelled;
  }
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_EQ(status("POST", kAdmin, own(cookie), kGames), 200u) << "this is not";
  EXPECT_FALSE(lines.back().confirmed);

  const auto confirm = [&](const std::string& body) {
    return status("POST", "/api/v1/session/confirm", own(cookie), body);
  };
  EXPECT_EQ(confirm(R"({"password":"ika"})"), 401u) << "without the code";
  EXPECT_EQ(confirm(R"({"password":"wrong","code":"123456"})"), 401u);
  EXPECT_EQ(confirm("{}"), 400u);
  EXPECT_EQ(drain().result_int(), 403u);
  EXPECT_EQ(confirm(R"({"name":"hana","password":"anah"})"), 401u) << "the name is the session's";
  EXPECT_EQ(confirm(R"({"password":"ika","code":"123456"})"), 204u);
  EXPECT_EQ(asked_about.back(), "aki from 192.0.2.7 again");
  EXPECT_EQ(drain().result_int(), 200u);
  EXPECT_TRUE(lines.back().confirmed);
}

TEST_F(WebLoginTest, W6_WhoeverIsLoggedInAndConfirmedMayChooseAPassword) {
  const std::string cookie = log_in("hana"), other = log_in("hana"), pon = log_in("pon");
  const auto choose = [&](const std::string& who, const std::string& password) {
    return status("PUT", "/api/v1/session/password", own(who),
                  json::serialize(json::object{{"name", "aki"}, {"password", password}}));
  };
  for (const auto& [password, why] : std::map<std::string, std::string>{
           {"", "none"}, {"1234567", "it is a bad one"}, {std::string(1025, 'x'), "too long"}}) {
    EXPECT_EQ(choose(cookie, password), 400u) << why;
  }
  EXPECT_EQ(status("PUT", "/api/v1/session/password", {{"Cookie", cookie}}, R"({"password":"long enough"})"), 403u);
  EXPECT_EQ(choose(pon, "long enough"), 409u) << "the core refuses";
  now_us = 5 * 60 * kSecond;
  EXPECT_EQ(choose(cookie, "long enough"), 403u) << "he may have left his browser open";
  EXPECT_THAT(chosen_passwords, ElementsAre("pon: long enough"));
  EXPECT_EQ(status("POST", "/api/v1/session/confirm", own(cookie), R"({"password":"anah"})"), 204u);
  EXPECT_EQ(choose(cookie, "12345678"), 204u);
  EXPECT_EQ(chosen_passwords.back(), "hana: 12345678") << "whatever name was asked for";
  EXPECT_EQ(csrf(cookie), "");
  EXPECT_EQ(csrf(other), "") << "nobody stays in by the old one";
}

TEST_F(WebLoginTest, ACoreThatDoesNotAnswerIsNotWaitedForForEver) {
  begin({.patience = std::chrono::milliseconds(1)});
  const std::string cookie = log_in("hana");
  const Headers headers = own(cookie);
  silent = true;
  EXPECT_EQ(status("POST", kSession, {}, kHana), 503u);
  EXPECT_EQ(status("POST", kAdmin, headers, kGames), 503u);
  server->answer(core::AdminReply{.token = lines.back().token, .result = {}, .after = {}});  // too late
  server->answer(core::WebLoginAnswer{.token = 7, .ok = true, .name = "hana"});              // nobody asked
  silent = false;
  EXPECT_EQ(status("POST", kAdmin, headers, kGames), 200u);
}

// Who is refused is so a second later.
TEST_F(WebLoginTest, W11_LoginsThatWaitForTheirAnswerKeepNobodyOut) {
  silent = true;
  std::vector<std::unique_ptr<test::TcpClient>> waiting;
  for (int i = 0; i < 100; ++i) {
    waiting.push_back(std::make_unique<test::TcpClient>(address));
    waiting.back()->send(kLogin);
  }
  EXPECT_TRUE(test::eventually([&] { return asked.load() == 100; })) << asked.load();
  silent = false;
  log_in("hana");
}

TEST_F(WebLoginTest, AServerMayEndWhileACoreThinks) {
  silent = true;
  test::TcpClient client(address);
  client.send(kLogin);
  EXPECT_TRUE(test::eventually([&] { return asked.load() == 1; }));
  server.reset();
  EXPECT_EQ(client.rest(), "");
}

// ---- W10: every way, for everybody ----

// A game that runs, and an event with a table.
std::vector<core::Transaction> what_is_there() {
  Numbering next;
  const core::TournamentSet event{.name = "1", .text = "name\t1\nformat\tround-robin\ntime\t300-10F\n"};
  const core::tournament::DivisionFormed formed{.division = {}, .members = {{"a", 1}, {"b", 2}}};
  return {next(opened(1)), next(event), next(core::TournamentDecided{.event = "1", .decision = formed})};
}

// A path that a route leads to, and which is there.
std::string example_of(const HttpRoute& route) {
  std::string path(route.path);
  const std::size_t star = path.find('*');
  const bool is_file = path.contains('.') && path != "/games.rss" && !path.starts_with("/api/");
  if (is_file && Assets::embedded().find(path) == nullptr) return "/";  // built without pages
  if (star == path.npos) return path;
  if (path == "/room/*") return "/room/main";
  // Game 1 runs, the others are over.
  const bool has_files = path == "/assets/*" || path == "/docs/*";
  if (!has_files) return path.replace(star, 1, path.ends_with("/analysis") ? "2" : "1");
  for (const auto& [asset_path, asset] : Assets::embedded().all()) {
    if (asset_path.starts_with(std::string_view(path).substr(0, star))) return asset_path;
  }
  return "/";  // built without pages
}

TEST_F(WebLoginTest, W10_EveryRouteForEveryRole) {
  server->publish(what_is_there());
  for (const HttpRoute& route : http_routes()) {
    for (const std::string name : {"", "pon", "hana", "aki"}) {
      const auto role = name.empty() ? std::optional<Role>() : kAccounts.at(name);
      const unsigned got = status(route.method, example_of(route), role ? own(log_in(name)) : Headers{});
      const std::string what = fmt::format("{} {} by '{}'", route.method, route.path, name);
      if (role >= route.least) {
        EXPECT_TRUE(got == 200 || got == 204 || got == 400) << what << ": " << got;
      } else {
        EXPECT_EQ(got, role ? 403u : 401u) << what;
      }
    }
  }
}

TEST_F(WebLoginTest, W10_EveryCommandForEveryRole) {
  for (const auto& [name, role] : kAccounts) {
    const Headers headers = own(log_in(name));
    for (const core::AdminVerb& verb : core::admin_verbs()) {
      const std::size_t before = lines.size();
      const unsigned got = status("POST", kAdmin, headers, fmt::format(R"({{"command":"{}"}})", verb.verb));
      EXPECT_EQ(got, role >= verb.least ? 200u : 403u) << name << ": " << verb.verb;
      ASSERT_EQ(lines.size() - before, got == 200 ? 1u : 0u);
      if (got == 200) EXPECT_EQ(lines.back().role, role) << "the core judges once more";
    }
  }
}

TEST_F(WebLoginTest, W10_WhatIsNotInTheTableIsNowhere) {
  server->publish(what_is_there());
  std::set<std::string> paths;
  for (const HttpRoute& route : http_routes()) paths.insert(example_of(route));
  for (const std::string& path : paths) {
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"}) {
      if (find_route(method, path) != nullptr) continue;
      const Response response = request(method, path, "");
      EXPECT_EQ(response.result_int(), 405u) << method << ' ' << path;
      EXPECT_EQ(response[http::field::allow], allowed_methods(path, true)) << method << ' ' << path;
    }
    const bool is_page = path.starts_with("/game/") || path.starts_with("/embed/") || path.starts_with("/overlay/") ||
                         path.starts_with("/player/") || path.starts_with("/room/") || path.starts_with("/tournament/");
    if (is_page) continue;  // whatever follows is for the page to read
    EXPECT_EQ(request("GET", path + "/x").result_int(), 404u) << path;
    EXPECT_EQ(request("GET", path + "x").result_int(), 404u) << path;
  }
}

TEST_F(WebLoginTest, WithoutALoginThereAreNoneOfItsWays) {
  start({.archive = {.catalogue = std::make_shared<FakeCatalogue>(), .analyst = std::make_shared<FakeAnalyst>()}});
  server->publish(what_is_there());
  for (const HttpRoute& route : http_routes()) {
    const unsigned got = status(route.method, example_of(route), {});
    const bool there = got == 200 || got == 400;  // a question that asks for nothing
    EXPECT_EQ(there, !route.signed_in) << route.method << ' ' << route.path << ": " << got;
    EXPECT_TRUE(there || got == 404) << got;
  }
}

// ---- W10: the table in the documentation ----

// The rows of the table of a page of docs/operations.
std::vector<std::string> written_rows(const std::string& page) {
  std::ifstream file(FUHYO_SOURCE_DIR "/docs/operations/" + page);
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| ") && line.contains('`')) rows.push_back(line);
  }
  return rows;
}

void expect_written(const std::string& page, const std::vector<std::string>& rows) {
  EXPECT_EQ(written_rows(page), rows) << fmt::format("docs/operations/{} has to say:\n{}", page, fmt::join(rows, "\n"));
}

TEST(W10, TheWrittenTableOfRoutesIsTheOneInForce) {
  std::map<std::optional<Role>, std::string> by_role;  // whoever has it, and whoever has more, may do this
  for (const HttpRoute& route : http_routes()) {
    std::string& actions = by_role[route.least];
    actions += fmt::format("{}`{} {}`", actions.empty() ? "" : ", ", route.method, route.path);
  }
  std::vector<std::string> rows;
  for (const auto& [least, actions] : by_role) {
    rows.push_back(fmt::format("| {} | {} |", least ? to_string(*least) : "stranger", actions));
  }
  expect_written("permissions.md", rows);
}

TEST(W10, TheWrittenTableOfCommandsIsTheOneInForce) {
  std::vector<std::string> rows;
  for (const core::AdminVerb& verb : core::admin_verbs()) {
    std::string row = "| `" + std::string(verb.verb);
    if (!verb.synopsis.empty()) row += ' ';
    for (const char c : verb.synopsis) row += c == '|' ? std::string("\\|") : std::string(1, c);
    rows.push_back(
        fmt::format("{}` | {} | {}{} |", row, verb.english, to_string(verb.least), verb.dangerous ? ", again" : ""));
  }
  expect_written("commands.md", rows);
}

}  // namespace
}  // namespace fuhyo::net
