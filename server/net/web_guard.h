// Where a request really comes from, and whether a page of ours sent it: against requests that other people's pages
// make a browser send (CSRF), and against passwords in the clear. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::net {

// What a request says of itself; empty where it says nothing.
struct WebHead {
  std::string_view method, content_type, origin, host, fetch_site;
};

// What came with the connection, and what a proxy said about it.
struct WebWay {
  std::string_view peer;             // "127.0.0.1"
  bool tls = false;                  // to us
  bool from_proxy = false;           // the peer is one whose words are believed
  bool forwarded = false;            // somebody says that he is a proxy: there is any of the headers that proxies add
  std::string_view forwarded_for;    // the last line X-Forwarded-For
  std::string_view forwarded_proto;  // X-Forwarded-Proto, if there is exactly one
};

struct WebCaller {
  std::string address;  // of the browser, as far as it is known; else of what stands between
  bool known = false;   // it is the browser's: what stands between is believed, and said so
  bool secure = false;  // nobody can read along, from the browser to here
  bool local = false;   // a browser of this machine, asking for it by such a name: nothing left the machine
};
WebCaller caller_of(const WebWay& way, std::string_view host);

// Whether it can be the value of a Host: "shogi.example", "192.0.2.1:8081", "[::1]:8081".
bool is_host(std::string_view text);
// Whether the host, with any port or the one that is named, is one of those.
bool is_listed(std::string_view host, const std::vector<std::string>& hosts);
// Whether nobody else can have made the name lead here: one of `hosts`, an address, or a name without a dot, which is
// none of the internet. Another one could be a foreign page's, which may then read what is answered (DNS rebinding).
bool is_own_host(std::string_view host, const std::vector<std::string>& hosts);

// Whether the Origin of a request is that of this server's pages, or there is none: no browser leaves it out of what
// can do harm. `secure`: as WebCaller has it.
bool is_own_origin(std::string_view origin, std::string_view host, bool secure);

struct WebRefusal {
  unsigned status = 0;
  std::string_view why;
};
// Of a request that changes something. Nothing: it may be one of ours.
std::optional<WebRefusal> refuse_foreign(const WebHead& head, bool secure);

// The value of the cookie; nothing if there is none, or more than one (then somebody planted one).
std::optional<std::string_view> find_cookie(std::string_view header, std::string_view name);

// A browser takes a cookie with the first name only over TLS, for this very host, and for all of it.
inline std::string_view cookie_name(bool secure) { return secure ? "__Host-fuhyo" : "fuhyo"; }
// The value of Set-Cookie. Empty id: the cookie ends.
std::string set_cookie(std::string_view id, bool secure);

}  // namespace fuhyo::net
