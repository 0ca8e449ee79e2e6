// The web login and what is done with it: sessions, and commands of operators. The core says who somebody is and what
// he may do; the checks before that are here. All of it on the web thread. JSON in, JSON out:
//
//   POST   /api/v1/session          {"name", "password", "code"?}   204 and a cookie; 401, also {"needs_code": true};
//                                                                   429 with Retry-After
//   GET    /api/v1/session          {"name", "role", "csrf", "confirmed", "idle_s", "ends_s"}; is not taken for use
//   DELETE /api/v1/session          204
//   POST   /api/v1/session/confirm  {"password", "code"?}           204, as POST session; 401 {"logged_out": true}
//   PUT    /api/v1/session/password {"password"}: the new one      204, and every session of the name ends;
//                                                                   403 {"confirm": true}; 400 what is wrong with it
//   GET    /api/v1/sessions         {"sessions": [{"address", "since_s", "used_s", "current"}]}: the caller's own
//   DELETE /api/v1/sessions         204: all of them end
//   POST   /api/v1/admin            {"command", "reason"?,          {"ok", "text", "columns", "rows",
//                                    "search"?, "last_first"?,      "offset", "total"};
//                                    "offset"?, "limit"?}           403 {"confirm": true} for what is dangerous
//
// What is refused is {"error": "..."}. All but GET want JSON as their content type and, when logged in, X-Fuhyo-CSRF.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "server/net/http_routes.h"
#include "server/net/web_guard.h"
#include "server/net/web_options.h"
#include "server/net/web_sessions.h"

namespace fuhyo::net {

struct WebRequest {
  const HttpRoute& route;
  WebHead head;
  std::string_view cookie, csrf;
  WebCaller caller;
  std::string_view body;
};

struct WebReply {
  unsigned status = 200;
  std::string json;        // empty: none
  std::string set_cookie;  // empty: none
  std::int64_t retry_after_s = 0;
};

class WebApi {
 public:
  explicit WebApi(const WebOptions& options);

  bool open() const { return options_.log_in != nullptr; }
  // `request` is good until the reply.
  boost::asio::awaitable<WebReply> reply_to(const WebRequest& request);

  void answer(const core::WebLoginAnswer& answer);
  void answer(const core::AdminReply& answer);
  void close_all_of(std::string_view name);
  // With how many seconds ago each began and was used. Empty name: everybody's.
  core::AdminResult logins(std::string_view name);

 private:
  template <class Answer>
  struct PendingRequest;
  template <class Answer>
  using PendingRequests = std::map<std::uint64_t, PendingRequest<Answer>*>;  // they live in the coroutines that wait

  template <class Answer, class Ask>
  boost::asio::awaitable<std::optional<Answer>> ask(PendingRequests<Answer>& pending, Ask send);
  template <class Answer>
  void take(PendingRequests<Answer>& pending, const Answer& answer);

  // The session id of the request, and when it was checked: a session that is valid then is valid for the whole answer.
  struct Who {
    std::string_view id;
    core::Instant at;
  };
  std::optional<WebReply> turn_away(const WebRequest& request, const Who& who);
  boost::asio::awaitable<core::WebLoginAnswer> ask_who(core::WebLogin login, std::optional<WebReply>& refusal);
  boost::asio::awaitable<WebReply> log_in(const WebRequest& request);
  boost::asio::awaitable<WebReply> confirm(const WebRequest& request, std::string_view id, std::string name);
  boost::asio::awaitable<WebReply> command(const WebRequest& request, const WebSession& session, core::Instant at);
  boost::asio::awaitable<WebReply> choose(const WebRequest& request, const WebSession& session, core::Instant at);
  WebReply show(const Who& who);
  WebReply list(const Who& who);
  core::Instant now() const;

  const WebOptions options_;
  WebSessions sessions_;
  PendingRequests<core::WebLoginAnswer> logins_;
  PendingRequests<core::AdminReply> commands_;
  std::uint64_t tokens_;
};

}  // namespace fuhyo::net
