#include "server/net/web_guard.h"

#include <algorithm>
#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>

#include "engines/record/lines.h"
#include "server/net/endpoint.h"

namespace fuhyo::net {
namespace {

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

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

struct HostAndPort {
  std::string_view host, port;  // of "[::1]:80" they are "::1" and "80"
  bool bracketed = false;
};
// Nothing: it is none.
std::optional<HostAndPort> host_port(std::string_view text) {
  const bool bracketed = text.starts_with('[');
  const std::size_t end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == text.npos) return std::nullopt;
  std::string_view rest = text.substr(bracketed ? end + 1 : end);
  HostAndPort parts{.host = text.substr(bracketed, end - bracketed), .port = {}, .bracketed = bracketed};
  if (rest.empty()) return parts;
  parts.port = rest.substr(1);
  if (!rest.starts_with(':') || !are_digits(parts.port)) return std::nullopt;
  return parts;
}

// "192.0.2.7", "192.0.2.7:4711", "2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:4711": proxies write all of them.
std::optional<boost::asio::ip::address> forwarded_address(std::string_view text) {
  if (const auto address = address_of(text)) return unmapped(*address);
  const auto parts = host_port(text);
  const auto address = parts ? address_of(parts->host) : std::nullopt;
  if (!address || address->is_v6() != parts->bracketed) return std::nullopt;
  return unmapped(*address);
}

}  // namespace

WebCaller caller_of(const WebWay& way, std::string_view host) {
  WebCaller caller{.address = std::string(way.peer), .known = !way.forwarded, .secure = way.tls, .local = false};
  if (way.from_proxy) {
    // What stands before the last comma may be of anybody's making.
    const auto last = record::trim(way.forwarded_for.substr(way.forwarded_for.rfind(',') + 1));
    if (const auto address = forwarded_address(last)) caller.address = address->to_string(), caller.known = true;
    if (way.forwarded) caller.secure = way.forwarded_proto == "https";
  }
  caller.local = !way.forwarded && is_loopback(way.peer) && is_local_name(host);
  return caller;
}

bool is_host(std::string_view text) {
  const auto parts = host_port(text);
  if (!parts) return false;
  if (parts->bracketed) {
    const auto address = address_of(parts->host);
    return address && address->is_v6();
  }
  return !parts->host.empty() && std::ranges::all_of(parts->host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  });
}

bool is_listed(std::string_view host, const std::vector<std::string>& hosts) {
  const std::string wanted = lower(host);
  const std::string_view name =
      std::string_view(wanted).substr(0, host.rfind(']') == host.npos ? host.find(':') : host.rfind(']') + 1);
  return std::ranges::any_of(hosts, [&](const std::string& each) {
    const std::string own = lower(each);
    return own == wanted || own == name;
  });
}

bool is_own_host(std::string_view host, const std::vector<std::string>& hosts) {
  const auto parts = host_port(host);
  if (!parts) return false;
  return parts->bracketed || !parts->host.contains('.') || address_of(parts->host) || is_listed(host, hosts);
}

bool is_own_origin(std::string_view origin, std::string_view host, bool secure) {
  return origin.empty() || lower(origin) == fmt::format("{}://{}", secure ? "https" : "http", lower(host));
}

std::optional<WebRefusal> refuse_foreign(const WebHead& head, bool secure) {
  const std::string type = lower(record::trim(head.content_type.substr(0, head.content_type.find(';'))));
  if (type != "application/json") return WebRefusal{415, "the content type must be application/json"};
  if (head.host.empty()) return WebRefusal{400, "a request must name one host"};
  const std::string site = lower(record::trim(head.fetch_site));
  if (!site.empty() && site != "same-origin" && site != "none") {
    return WebRefusal{403, "another site's page sent this"};
  }
  if (!is_own_origin(head.origin, head.host, secure)) return WebRefusal{403, "another site's page sent this"};
  return std::nullopt;
}

std::optional<std::string_view> find_cookie(std::string_view header, std::string_view name) {
  std::optional<std::string_view> found;
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
    pair = record::trim(pair);
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
