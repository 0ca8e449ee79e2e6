#include "server/net/web_api.h"

#include <string>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "server/core/counted.h"
#include "server/net/await.h"
#include "server/net/web_json.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;

// Of every token, so that none is the administration socket's.
constexpr std::uint64_t kWebTokens = std::uint64_t{1} << 63;
constexpr std::size_t kMaxName = 64, kMaxPassword = 1024, kMaxCode = 16;

core::Instant steady_now() {
  using std::chrono::duration_cast, std::chrono::microseconds;
  return {duration_cast<microseconds>(std::chrono::steady_clock::now().time_since_epoch()).count()};
}

constexpr std::string_view kLoggedOut = "logged_out";

WebReply refused(unsigned status, std::string_view why, std::string_view flag = {}) {
  return {.status = status, .json = error_json(why, flag)};
}
WebReply done(std::string set_cookie = {}) { return {.status = 204, .set_cookie = std::move(set_cookie)}; }

bool fits(const Shown& shown) {
  return shown.name.size() <= kMaxName && !shown.password.empty() && shown.password.size() <= kMaxPassword &&
         shown.code.size() <= kMaxCode;
}

}  // namespace

template <class Answer>
struct WebApi::PendingRequest {
  asio::steady_timer wake;
  std::optional<Answer> answer = {};
};

WebApi::WebApi(const WebOptions& options)
    : options_(options), sessions_(options.sessions, options.secrets), tokens_(kWebTokens) {}

core::Instant WebApi::now() const { return options_.now ? options_.now() : steady_now(); }

// ---- asking the core ----

// Nothing: there was no answer in time. As many ask at a time as there are connections: a login that is answered late,
// since it is refused, takes no place from another one.
template <class Answer, class Ask>
asio::awaitable<std::optional<Answer>> WebApi::ask(PendingRequests<Answer>& pending, Ask send) {
  PendingRequest<Answer> request{.wake = asio::steady_timer(co_await asio::this_coro::executor, options_.patience)};
  const std::uint64_t token = ++tokens_;
  // Also when this coroutine goes in the midst of its wait.
  struct Listed {
    PendingRequests<Answer>& list;
    std::uint64_t token;
    ~Listed() { list.erase(token); }
  } const listed{pending, token};
  pending.emplace(token, &request);
  send(token);
  if (!request.answer) co_await request.wake.async_wait(kAwait);
  co_return std::move(request.answer);
}

template <class Answer>
void WebApi::take(PendingRequests<Answer>& pending, const Answer& answer) {
  const auto asked = pending.find(answer.token);
  if (asked == pending.end()) return;
  asked->second->answer = answer;
  asked->second->wake.cancel();
}

void WebApi::answer(const core::WebLoginAnswer& answer) { take(logins_, answer); }
void WebApi::answer(const core::AdminReply& answer) { take(commands_, answer); }

void WebApi::close_all_of(std::string_view name) {
  sessions_.close_all_of(name);
  // What was answered before, and is not yet a session, shall be none.
  for (const auto& [token, request] : logins_) {
    if (request->answer && request->answer->name == name) request->answer->ok = false;
  }
}

core::AdminResult WebApi::logins(std::string_view name) {
  const core::Instant at = now();
  core::AdminResult result{
      .ok = true, .text = {}, .columns = {"name", "role", "from", "since_s", "used_s"}, .rows = {}};
  for (const WebSession& session : sessions_.of(name, at)) {
    result.rows.push_back({session.name, std::string(core::to_string(session.role)), session.address,
                           std::to_string((at - session.since) / core::kSecond),
                           std::to_string((at - session.used) / core::kSecond)});
  }
  result.text = core::counted(result.rows.size(), "session") + " on the web";
  return result;
}

// An answer that is ok, or the refusal.
asio::awaitable<core::WebLoginAnswer> WebApi::ask_who(core::WebLogin login, std::optional<WebReply>& refusal) {
  const auto send = [&](std::uint64_t token) {
    login.token = token;
    options_.log_in(std::move(login));
  };
  auto answer = co_await ask<core::WebLoginAnswer>(logins_, send);
  if (!answer) {
    refusal = refused(503, "the server is busy; try again");
    refusal->retry_after_s = 5;
    co_return core::WebLoginAnswer{};
  }
  if (answer->wait_s > 0) {
    refusal = refused(429, "too many passwords, or too many wrong ones; wait");
    refusal->retry_after_s = answer->wait_s;
  } else if (answer->needs_code) {
    refusal = WebReply{.status = 401, .json = needs_code_json()};
  } else if (!answer->ok) {
    refusal = refused(401, "the name, the password or the code is wrong");
  }
  co_return std::move(*answer);
}

// ---- checks ----

std::optional<WebReply> WebApi::turn_away(const WebRequest& request, const Who& who) {
  const bool changes = request.route.method != "GET";
  if (changes) {
    if (const auto refusal = refuse_foreign(request.head, request.caller.secure)) {
      return refused(refusal->status, refusal->why);
    }
  }
  if (!request.route.least) return std::nullopt;
  const WebSession* session = sessions_.look(who.id, who.at);
  if (session == nullptr) return refused(401, "log in first", kLoggedOut);
  if (changes && !csa::same(request.csrf, sessions_.csrf_of(who.id))) {
    return refused(403, "X-Fuhyo-CSRF is not what GET /api/v1/session says");
  }
  if (session->role < *request.route.least) {
    return refused(403, std::string("this is for the role ") + std::string(core::to_string(*request.route.least)));
  }
  return std::nullopt;
}

asio::awaitable<WebReply> WebApi::reply_to(const WebRequest& request) {
  const bool private_way = request.caller.secure || request.caller.local;
  Who who{.id = {}, .at = now()};
  if (private_way) who.id = find_cookie(request.cookie, cookie_name(request.caller.secure)).value_or("");
  if (auto refusal = turn_away(request, who)) co_return std::move(*refusal);
  const std::string_view path = request.route.path, method = request.route.method;
  if (path == "/api/v1/session" && method == "POST") {
    if (private_way) co_return co_await log_in(request);
    co_return refused(403, "a password is only taken over https, or from a browser on the server's own machine");
  }
  if (path == "/api/v1/session" && method == "GET") co_return show(who);
  if (path == "/api/v1/sessions" && method == "GET") co_return list(who);
  const WebSession session = *sessions_.touch(who.id, who.at);
  if (path == "/api/v1/session/confirm") co_return co_await confirm(request, who.id, session.name);
  if (path == "/api/v1/session/password") co_return co_await choose(request, session, who.at);
  if (path == "/api/v1/admin") co_return co_await command(request, session, who.at);
  if (path == "/api/v1/sessions") {
    sessions_.close_all_of(session.name);
  } else {
    sessions_.close(who.id);
  }
  co_return done(set_cookie("", request.caller.secure));
}

// ---- logging in ----

asio::awaitable<WebReply> WebApi::log_in(const WebRequest& request) {
  auto shown = read_shown(request.body);
  if (!shown || shown->name.empty() || !fits(*shown)) co_return refused(400, "name and password are wanted, as JSON");
  std::optional<WebReply> refusal;
  const core::WebLoginAnswer answer = co_await ask_who({.token = 0,
                                                        .name = std::move(shown->name),
                                                        .password = std::move(shown->password),
                                                        .code = std::move(shown->code),
                                                        .address = request.caller.address,
                                                        .confirm = false},
                                                       refusal);
  if (refusal) co_return std::move(*refusal);
  // The former session of this browser ends; a new one never gets an id that was known before.
  if (const auto old = find_cookie(request.cookie, cookie_name(request.caller.secure))) sessions_.close(*old);
  const auto id = sessions_.open(answer.name, answer.role, request.caller.address, now());
  if (!id) co_return refused(503, "too many are logged in");
  co_return done(set_cookie(*id, request.caller.secure));
}

asio::awaitable<WebReply> WebApi::confirm(const WebRequest& request, std::string_view id, std::string name) {
  auto shown = read_shown(request.body);
  if (!shown || !fits(*shown)) co_return refused(400, "the password is wanted, as JSON");
  std::optional<WebReply> refusal;
  const core::WebLoginAnswer answer = co_await ask_who({.token = 0,
                                                        .name = std::move(name),
                                                        .password = std::move(shown->password),
                                                        .code = std::move(shown->code),
                                                        .address = request.caller.address,
                                                        .confirm = true},
                                                       refusal);
  if (refusal) co_return std::move(*refusal);
  WebSession* session = sessions_.touch(id, now());  // it may have ended meanwhile
  if (session == nullptr || answer.name != session->name) co_return refused(401, "log in first", kLoggedOut);
  session->role = answer.role;
  session->confirmed = now();
  co_return done();
}

asio::awaitable<WebReply> WebApi::choose(const WebRequest& request, const WebSession& session, core::Instant at) {
  if (!sessions_.is_confirmed(session, at)) co_return WebReply{.status = 403, .json = confirm_json()};
  auto shown = read_shown(request.body);
  if (!shown || !fits(*shown)) co_return refused(400, "a password is wanted, as JSON");
  if (const auto why = options_.why_no_password(session.name, shown->password)) co_return refused(400, *why);
  const auto send = [&](std::uint64_t token) {
    options_.choose({.token = token, .name = session.name, .password = std::move(shown->password)});
  };
  const auto answer = co_await ask<core::AdminReply>(commands_, send);
  if (!answer) co_return refused(503, "the server has not answered; whether the password is another one is not known");
  if (!answer->result.ok) co_return refused(409, answer->result.text);
  sessions_.close_all_of(session.name);
  co_return done(set_cookie("", request.caller.secure));
}

// ---- what a session may do ----

WebReply WebApi::show(const Who& who) {
  const WebSession& session = *sessions_.look(who.id, who.at);
  return {.json = session_json({.session = session,
                                .csrf = sessions_.csrf_of(who.id),
                                .confirmed = sessions_.is_confirmed(session, who.at),
                                .idle_s = sessions_.idle_end_us(session, who.at) / core::kSecond,
                                .ends_s = sessions_.whole_end_us(session, who.at) / core::kSecond})};
}

WebReply WebApi::list(const Who& who) {
  const WebSession own = *sessions_.look(who.id, who.at);
  return {.json = sessions_json(sessions_.of(own.name, who.at), own, who.at)};
}

asio::awaitable<WebReply> WebApi::command(const WebRequest& request, const WebSession& session, core::Instant at) {
  const auto asked = read_command(request.body);
  if (!asked) co_return refused(400, "a command is wanted, as JSON");
  const bool confirmed = sessions_.is_confirmed(session, at);
  const core::AdminVerb* verb = core::admin_verb_of(asked->line);
  if (verb != nullptr && session.role < verb->least) {
    co_return refused(403, std::string("this is for the role ") + std::string(core::to_string(verb->least)));
  }
  if (verb != nullptr && verb->dangerous && !confirmed) co_return WebReply{.status = 403, .json = confirm_json()};
  const auto send = [&](std::uint64_t token) {
    options_.admin({.token = token,
                    .who = session.name,
                    .text = asked->line,
                    .role = session.role,
                    .via = "web " + request.caller.address,
                    .confirmed = confirmed});
  };
  auto answer = co_await ask<core::AdminReply>(commands_, send);
  if (!answer) co_return refused(503, "the server has not answered; whether it did what was asked is not known");
  co_return WebReply{.json = admin_result_json(answer->result, asked->rows)};
}

}  // namespace fuhyo::net
