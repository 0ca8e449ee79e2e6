#include "server/net/web_guard.h"

#include <algorithm>
#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>

namespace fuhyo::net {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::optional<boost::asio::ip::address> address_of(std::string_view text) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(text, error);
  if (error) return std::nullopt;
  return address;
}

bool is_loopback(std::string_view text) {
  const auto address = address_of(text);
  return address && address->is_loopback();
}

// Another name could be one that a foreign page has made to lead here.
bool is_local_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1) == "[::1]";
  const std::string name = lower(host.substr(0, host.find(':')));
  return name == "localhost" || is_loopback(name);
}

}  // namespace

WebCaller caller_of(const WebWay& way, std::string_view host) {
  WebCaller caller{.address = std::string(way.peer), .secure = way.tls, .local = false};
  if (way.from_proxy) {
    // What stands before the last comma may be of anybody's making.
    const auto last = trimmed(way.forwarded_for.substr(way.forwarded_for.rfind(',') + 1));
    if (const auto address = address_of(last)) caller.address = address->to_string();
    if (way.forwarded) caller.secure = way.forwarded_proto == "https";
  }
  caller.local = !way.forwarded && is_loopback(way.peer) && is_local_name(host);
  return caller;
}

std::optional<WebRefusal> refuse_foreign(const WebHead& head, bool secure) {
  const std::string type = lower(trimmed(head.content_type.substr(0, head.content_type.find(';'))));
  if (type != "application/json") return WebRefusal{415, "the content type must be application/json"};
  if (head.host.empty()) return WebRefusal{400, "a request must name one host"};
  const std::string site = lower(trimmed(head.fetch_site));
  if (!site.empty() && site != "same-origin" && site != "none") {
    return WebRefusal{403, "another site's page sent this"};
  }
  if (head.origin.empty()) return std::nullopt;
  const std::string own = fmt::format("{}://{}", secure ? "https" : "http", lower(head.host));
  if (lower(head.origin) != own) return WebRefusal{403, "another site's page sent this"};
  return std::nullopt;
}

std::optional<std::string_view> find_cookie(std::string_view header, std::string_view name) {
  std::optional<std::string_view> found;
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
    pair = trimmed(pair);
    const std::size_t mark = pair.find('=');
    if (mark == std::string_view::npos || pair.substr(0, mark) != name) continue;
    if (found) return std::nullopt;
    found = pair.substr(mark + 1);
  }
  return found;
}

std::string set_cookie(std::string_view id, bool secure) {
  return fmt::format("{}={}; Path=/; {}HttpOnly; SameSite=Strict{}", cookie_name(secure), id, secure ? "Secure; " : "",
                     id.empty() ? "; Max-Age=0" : "");
}

}  // namespace fuhyo::net
