// The settings of the web login. A value.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/effects.h"
#include "server/core/logins/web_login.h"
#include "server/net/web_sessions.h"

namespace fuhyo::net {

// Somebody who is logged in, and has just shown who he is, wants another password.
struct NewPassword {
  std::uint64_t token = 0;
  std::string name;
  csa::Secret password;
};

// How the web asks the core; each is called on the web thread, must not block, and is answered by HttpServer::answer().
struct WebOptions {
  std::function<void(core::WebLogin)> log_in;  // empty: nobody can log in here, and there are none of these paths
  std::function<void(core::AdminLine)> admin;
  std::function<void(NewPassword)> choose;  // answered by an AdminReply, too
  // Why `name` shall not have it, for his eyes; nothing: it may be chosen. Answers at once.
  std::function<std::optional<std::string>(std::string_view name, const csa::Secret& password)> why_no_password;
  WebSessions::Secrets secrets;
  std::function<bool(std::string_view address)> proxy;  // whose X-Forwarded-For and -Proto are believed
  std::function<core::Instant()> now;                   // empty: the steady clock
  WebSessionLimits sessions;
  std::chrono::milliseconds patience{15'000};  // for an answer of the core
};

}  // namespace fuhyo::net
