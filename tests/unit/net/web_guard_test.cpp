// Whose request it is: other sites' pages, proxies that are believed and such that are not, cookies.
#include "server/net/web_guard.h"

#include <gtest/gtest.h>

namespace fuhyo::net {
namespace {

WebHead own_page() {
  return {.method = "POST",
          .content_type = "application/json",
          .origin = "https://shogi.example",
          .host = "shogi.example",
          .fetch_site = "same-origin"};
}

unsigned refused(const WebHead& head, bool secure = true) {
  const auto refusal = refuse_foreign(head, secure);
  return refusal ? refusal->status : 0;
}

// Our own page's but for this.
unsigned refused(std::string_view WebHead::* field, std::string_view said) {
  WebHead head = own_page();
  head.*field = said;
  return refused(head);
}

TEST(WebGuard, W2_OurOwnPageAndPlainToolsPass) {
  EXPECT_EQ(refused(own_page()), 0u);
  WebHead head = own_page();
  head.content_type = "Application/JSON ; charset=utf-8";
  EXPECT_EQ(refused(head), 0u);
  head.origin = head.fetch_site = "";
  EXPECT_EQ(refused(head), 0u) << "curl sends neither";
  head.fetch_site = "none";
  EXPECT_EQ(refused(head), 0u);
  head = own_page();
  head.host = "Shogi.Example:8443";
  head.origin = "https://shogi.example:8443";
  EXPECT_EQ(refused(head), 0u);
  head.host = "127.0.0.1:8081";
  head.origin = "http://127.0.0.1:8081";
  EXPECT_EQ(refused(head, false), 0u);
}

TEST(WebGuard, W2_AForeignOriginIsRefused) {
  for (const char* origin :
       {"https://evil.example", "null", "https://shogi.example.evil.example", "http://shogi.example",
        "https://shogi.example:444", "shogi.example", "https://evil.example,https://shogi.example",
        "https://shogi.example/", "https://xshogi.example"}) {
    EXPECT_EQ(refused(&WebHead::origin, origin), 403u) << origin;
  }
  EXPECT_EQ(refused(&WebHead::host, ""), 400u);
}

TEST(WebGuard, W2_ACrossSiteFetchIsRefused) {
  for (const char* site : {"cross-site", "same-site", "CROSS-SITE", "nonsense"}) {
    EXPECT_EQ(refused(&WebHead::fetch_site, site), 403u) << site;
  }
}

// What a form of another page can send without asking the browser first.
TEST(WebGuard, W2_AFormIsRefused) {
  for (const char* type : {"", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain",
                           "text/plain; application/json", "application/jsonx"}) {
    EXPECT_EQ(refused(&WebHead::content_type, type), 415u) << type;
  }
}

// ---- who comes, and how ----

TEST(WebCallers, LoopbackIsLocalByALocalNameOnly) {
  for (const char* host : {"localhost", "LOCALHOST:8081", "127.0.0.1:8081", "127.1.2.3", "[::1]:8081", "[::1]"}) {
    EXPECT_TRUE(caller_of({.peer = "127.0.0.1"}, host).local) << host;
  }
  for (const char* host : {"", "shogi.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]", "::1"}) {
    EXPECT_FALSE(caller_of({.peer = "127.0.0.1"}, host).local) << host;
  }
  EXPECT_TRUE(caller_of({.peer = "::1"}, "localhost").local);
  EXPECT_FALSE(caller_of({.peer = "192.0.2.7"}, "localhost").local);
  EXPECT_FALSE(caller_of({.peer = "127.0.0.1"}, "localhost").secure);
  EXPECT_TRUE(caller_of({.peer = "192.0.2.7", .tls = true}, "shogi.example").secure);
}

TEST(WebCallers, AProxyThatNobodyNamedIsNotBelieved) {
  const WebWay way{.peer = "127.0.0.1", .forwarded = true, .forwarded_for = "127.0.0.1", .forwarded_proto = "https"};
  const WebCaller caller = caller_of(way, "localhost");
  EXPECT_FALSE(caller.secure);
  EXPECT_FALSE(caller.local) << "somebody from elsewhere, through a proxy of this machine";
  EXPECT_EQ(caller.address, "127.0.0.1");
}

TEST(WebCallers, ANamedProxySaysWhoAndHow) {
  WebWay way{.peer = "127.0.0.1", .from_proxy = true, .forwarded = true, .forwarded_for = "10.0.0.1, 192.0.2.7 "};
  way.forwarded_proto = "https";
  EXPECT_EQ(caller_of(way, "shogi.example").address, "192.0.2.7") << "the last one is the proxy's word";
  EXPECT_TRUE(caller_of(way, "shogi.example").secure);
  EXPECT_FALSE(caller_of(way, "localhost").local);
  for (const char* proto : {"http", "", "https,http", "HTTPS"}) {
    way.forwarded_proto = proto;
    EXPECT_FALSE(caller_of(way, "shogi.example").secure) << proto;
  }
  way.tls = true;
  EXPECT_FALSE(caller_of(way, "shogi.example").secure) << "the browser's way to the proxy is what counts";
  EXPECT_TRUE(caller_of(way, "shogi.example").known);
  way.forwarded_for = "192.0.2.7, nonsense";
  EXPECT_EQ(caller_of(way, "shogi.example").address, "127.0.0.1");
  EXPECT_FALSE(caller_of(way, "shogi.example").known) << "the proxy's rights are not the caller's";
  way.forwarded_for = "";
  EXPECT_FALSE(caller_of(way, "shogi.example").known);
}

TEST(WebCallers, AProxyMaySayThePortToo) {
  const auto address = [](std::string_view forwarded_for) {
    const WebCaller caller = caller_of(
        {.peer = "127.0.0.1", .from_proxy = true, .forwarded = true, .forwarded_for = forwarded_for}, "shogi.example");
    return caller.known ? caller.address : "";
  };
  for (const char* said : {"192.0.2.7", "192.0.2.7:4711", "10.0.0.1:1, 192.0.2.7:65535 "}) {
    EXPECT_EQ(address(said), "192.0.2.7") << said;
  }
  for (const char* said : {"2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:4711"}) {
    EXPECT_EQ(address(said), "2001:db8::7") << said;
  }
  for (const char* said : {"::ffff:192.0.2.7", "[::ffff:192.0.2.7]:4711", "[::ffff:c000:207]"}) {
    EXPECT_EQ(address(said), "192.0.2.7") << said << ": of a proxy that listens on both kinds of addresses";
  }
  for (const char* said :
       {"192.0.2.7:", "192.0.2.7:x", ":80", "[192.0.2.7]:80", "[2001:db8::7", "[2001:db8::7]80", "a:1"}) {
    EXPECT_EQ(address(said), "") << said;
  }
}

TEST(WebHosts, AreNamesOrAddressesPerhapsWithAPort) {
  for (const char* host :
       {"shogi.example", "shogi.example:8081", "a_b", "192.0.2.1:80", "[::1]", "[2001:db8::7]:443"}) {
    EXPECT_TRUE(is_host(host)) << host;
  }
  for (const char* host : {"", ":80", "x:", "x:y", "[::1", "[x]", "[192.0.2.1]", "::1", "a b", "a/b", "a@b", "a,b",
                           "\xe5\x85\x88", "a%41"}) {
    EXPECT_FALSE(is_host(host)) << host;
  }
}

TEST(WebHosts, AForeignNameIsNotOurs) {
  const std::vector<std::string> ours{"Shogi.example", "www.example:8443"};
  for (const char* host : {"localhost", "fuhyo:80", "192.0.2.1:80", "[2001:db8::7]:80", "shogi.example",
                           "SHOGI.EXAMPLE:9", "www.example:8443"}) {
    EXPECT_TRUE(is_own_host(host, ours)) << host;
  }
  for (const char* host : {"evil.example", "shogi.example.evil.example", "x.shogi.example", "www.example",
                           "www.example:80", "1.2.3.4.x"}) {
    EXPECT_FALSE(is_own_host(host, ours)) << host;
  }
}

// ---- cookies ----

TEST(WebCookies, W6_TheCookieIsTheStrictest) {
  EXPECT_EQ(set_cookie("abc", true), "__Host-fuhyo=abc; Path=/; Secure; HttpOnly; SameSite=Strict");
  EXPECT_EQ(set_cookie("abc", false), "fuhyo=abc; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_EQ(set_cookie("", true), "__Host-fuhyo=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0");
}

TEST(WebCookies, OneIsFoundAmongOthers) {
  EXPECT_EQ(find_cookie("fuhyo=abc", "fuhyo"), "abc");
  EXPECT_EQ(find_cookie("a=b;  fuhyo=abc ; c", "fuhyo"), "abc");
  EXPECT_EQ(find_cookie("fuhyo=", "fuhyo"), "");
  EXPECT_EQ(find_cookie("fuhyo=a=b", "fuhyo"), "a=b");
  for (const char* without : {"", ";", "fuhyo", "xfuhyo=abc", "fuhyo2=abc", "__Host-fuhyo=abc", "Fuhyo=abc"}) {
    EXPECT_EQ(find_cookie(without, "fuhyo"), std::nullopt) << without;
  }
  EXPECT_EQ(find_cookie("fuhyo=planted; fuhyo=own", "fuhyo"), std::nullopt) << "which of them is ours?";
}

}  // namespace
}  // namespace fuhyo::net
