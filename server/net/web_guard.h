// Where a request really comes from, and whether a page of ours sent it: against requests that other people's pages
// make a browser send (CSRF), and against passwords in the clear. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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
  std::string address;  // of the browser, as far as it is known
  bool secure = false;  // nobody can read along, from the browser to here
  bool local = false;   // a browser of this machine, asking for it by such a name: nothing left the machine
};
WebCaller caller_of(const WebWay& way, std::string_view host);

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
