// Every route of the web side: method, path, and who may use it. One table for the server, the documentation and the
// test that compares the two (docs/operations/permissions.md). Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/core/admin/verbs.h"

namespace fuhyo::net {

// Where players speak CSA by a WebSocket.
inline constexpr std::string_view kCsaPath = "/api/v1/csa";

struct HttpRoute {
  std::string_view method;          // a GET is a HEAD too
  std::string_view path;            // a '*' stands for anything; the first route that fits counts
  std::optional<core::Role> least;  // nothing: everybody
  bool signed_in = false;           // it belongs to the web login, and is there only where there is one
  bool page = false;                // of web/
};
std::span<const HttpRoute> http_routes();

// Null: there is none. A path with a part "." or ".." leads nowhere, however it is spelt.
const HttpRoute* find_route(std::string_view method, std::string_view path);
// "GET, HEAD, POST"; empty: the path leads nowhere. `with_login`: whether there is a web login.
std::string allowed_methods(std::string_view path, bool with_login);

}  // namespace fuhyo::net
