// What a browser, a proxy or a stored row may say to the web login: nothing of it logs anybody in whom it should not.
// The input is lines: body, cookies, origin, host, content type, X-Forwarded-For; the rest goes to the readers alone.

#include <array>
#include <string>

#include "server/core/admin/verbs.h"
#include "server/net/web_guard.h"
#include "server/net/web_json.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace net = fuhyo::net;
namespace core = fuhyo::core;

constexpr std::size_t kBody = 0, kCookie = 1, kOrigin = 2, kHost = 3, kType = 4, kForwarded = 5, kLines = 6;

void check_bodies(std::string_view body) {
  if (const auto shown = net::read_shown(body)) {
    require(shown->password.size() <= body.size() && shown->name.size() <= body.size(), "texts are of the body");
  }
  const auto command = net::read_command(body);
  if (!command) return;
  require(!command->line.empty(), "a command is something");
  require(command->rows.limit <= net::kMostRowsWanted, "a page has an end");
  const core::AdminVerb* verb = core::admin_verb_of(command->line);
  require(verb == nullptr || verb == core::find_admin_verb(verb->verb), "a verb is one of the table");
}

void check_cookies(std::string_view header) {
  for (const bool secure : {false, true}) {
    const auto value = net::find_cookie(header, net::cookie_name(secure));
    if (!value || value->empty()) continue;
    require(value->data() >= header.data() && value->data() + value->size() <= header.data() + header.size() &&
                value->find(';') == std::string_view::npos,
            "a cookie is a part of the header");
  }
}

void check_origin(const net::WebHead& head) {
  for (const bool secure : {false, true}) {
    if (net::refuse_foreign(head, secure)) continue;
    require(!head.host.empty(), "there is a host");
    require(head.origin.empty() || head.origin.size() == head.host.size() + (secure ? 8 : 7),
            "an origin is the scheme and the host");
  }
}

void check_caller(std::string_view forwarded_for, std::string_view host) {
  net::WebWay way{.peer = "192.0.2.7", .forwarded = true, .forwarded_for = forwarded_for, .forwarded_proto = "https"};
  const net::WebCaller stranger = net::caller_of(way, host);
  require(!stranger.secure && !stranger.local && stranger.address == way.peer, "whoever is no proxy is not believed");
  way.from_proxy = true;
  const net::WebCaller guest = net::caller_of(way, host);
  require(!guest.local && guest.address.size() <= 64, "an address is an address");
  for (const char c : guest.address) require(c > ' ' && c < '\x7f', "and nothing else");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuhyo::fuzz::text(data, size);
  std::array<std::string_view, kLines> line;
  for (std::string_view& part : line) part = fuhyo::fuzz::take_line(rest);
  check_bodies(line[kBody]);
  check_bodies(rest);
  check_cookies(line[kCookie]);
  check_origin(
      {.method = "POST", .content_type = line[kType], .origin = line[kOrigin], .host = line[kHost], .fetch_site = {}});
  check_caller(line[kForwarded], line[kHost]);
  return 0;
}
