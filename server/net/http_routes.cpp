#include "server/net/http_routes.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace fuhyo::net {
namespace {

using core::Role;

constexpr HttpRoute kRoutes[] = {
    {"GET", "/", {}, false, true},
    {"GET", "/game/*", {}, false, true},
    {"GET", "/embed/*", {}, false, true},
    {"GET", "/overlay/*", {}, false, true},
    {"GET", "/games", {}, false, true},
    {"GET", "/crosstable", {}, false, true},
    {"GET", "/players", {}, false, true},
    {"GET", "/player/*", {}, false, true},
    {"GET", "/rounds", {}, false, true},
    {"GET", "/buoys", {}, false, true},
    {"GET", "/rooms", {}, false, true},
    {"GET", "/room/*", {}, false, true},
    {"GET", "/tournaments", {}, false, true},
    {"GET", "/tournament/*", {}, false, true},
    {"GET", "/api", {}, false, true},
    {"GET", "/share", {}, false, true},
    {"GET", "/docs", {}, false, true},
    {"GET", "/docs/*", {}, false, true},
    {"GET", "/ticker/*", {}, false, true},
    {"GET", "/play", {}, false, true},
    {"GET", "/console", {}, false, true},
    {"GET", "/games.rss", {}, false},
    {"GET", "/assets/*", {}, false},
    {"GET", "/icon.svg", {}, false},
    {"GET", "/icon-192.png", {}, false},
    {"GET", "/icon-512.png", {}, false},
    {"GET", "/manifest.webmanifest", {}, false},
    {"GET", "/openapi.json", {}, false},
    {"GET", "/robots.txt", {}, false},
    {"GET", "/healthz", {}, false},
    {"GET", "/readyz", {}, false},
    {"GET", "/metrics", {}, false},
    {"GET", "/api/v1/events", {}, false},
    {"GET", "/api/v1/events.ndjson", {}, false},
    {"GET", kCsaPath, {}, false},
    {"GET", "/api/v1/games", {}, false},
    {"GET", "/api/v1/games.zip", {}, false},
    {"GET", "/api/v1/games/*/analysis", {}, false},
    {"GET", "/api/v1/games/*", {}, false},
    {"GET", "/api/v1/crosstable", {}, false},
    {"GET", "/api/v1/crosstable.csv", {}, false},
    {"GET", "/api/v1/players", {}, false},
    {"GET", "/api/v1/players/*", {}, false},
    {"GET", "/api/v1/rounds", {}, false},
    {"GET", "/api/v1/buoys", {}, false},
    {"GET", "/api/v1/openings", {}, false},
    {"GET", "/api/v1/rooms", {}, false},
    {"GET", "/api/v1/tournaments", {}, false},
    {"GET", "/api/v1/tournaments/*/tables.csv", {}, false},
    {"GET", "/api/v1/tournaments/*/tables.html", {}, false},
    {"GET", "/api/v1/tournaments/*/tables.txt", {}, false},
    {"GET", "/api/v1/tournaments/*", {}, false},
    {"POST", "/api/v1/session", {}, true},
    {"GET", "/api/v1/session", Role::player, true},
    {"DELETE", "/api/v1/session", Role::player, true},
    {"POST", "/api/v1/session/confirm", Role::player, true},
    {"PUT", "/api/v1/session/password", Role::player, true},
    {"GET", "/api/v1/sessions", Role::player, true},
    {"DELETE", "/api/v1/sessions", Role::player, true},
    {"POST", "/api/v1/admin", Role::host, true},
};

bool leads_to(std::string_view pattern, std::string_view path) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == path;
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  return path.size() >= pattern.size() && path.starts_with(before) && path.ends_with(after);
}

// A byte that may be said by its number, and how many characters say it.
std::pair<char, std::size_t> first_byte(std::string_view path) {
  unsigned byte = 0;
  if (path.size() < 3 || path.front() != '%') return {path.front(), 1};
  const auto [end, error] = std::from_chars(path.data() + 1, path.data() + 3, byte, 16);
  if (error != std::errc{} || end != path.data() + 3) return {path.front(), 1};
  return {static_cast<char>(byte), 3};
}

// Whether a part of the path is "." or "..": a browser, and a proxy that took it away, would be somewhere else than we
// are. Browsers never send it.
bool has_dot_part(std::string_view path) {
  std::string part;
  const auto is_dots = [&part] { return part == "." || part == ".."; };
  while (!path.empty()) {
    const auto [c, length] = first_byte(path);
    path.remove_prefix(length);
    if (c != '/' && c != '\\') {
      part += c;
      continue;
    }
    if (is_dots()) return true;
    part.clear();
  }
  return is_dots();
}

}  // namespace

std::span<const HttpRoute> http_routes() { return kRoutes; }

const HttpRoute* find_route(std::string_view method, std::string_view path) {
  if (method == "HEAD") method = "GET";
  if (has_dot_part(path)) return nullptr;
  const auto found = std::ranges::find_if(
      kRoutes, [&](const HttpRoute& route) { return route.method == method && leads_to(route.path, path); });
  return found == std::end(kRoutes) ? nullptr : found;
}

std::string allowed_methods(std::string_view path, bool with_login) {
  std::string methods;
  if (has_dot_part(path)) return methods;
  for (const HttpRoute& route : kRoutes) {
    if (!leads_to(route.path, path) || (route.signed_in && !with_login)) continue;
    const std::string_view method = route.method == "GET" ? "GET, HEAD" : route.method;
    if (methods.contains(method)) continue;
    if (!methods.empty()) methods += ", ";
    methods += method;
  }
  return methods;
}

}  // namespace fuhyo::net
