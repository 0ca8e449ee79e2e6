// The bodies of the web login (web_api.h has their keys). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/effects.h"
#include "server/csa/secret.h"
#include "server/net/web_sessions.h"

namespace fuhyo::net {

// What somebody shows to prove who he is.
struct Shown {
  std::string name;
  csa::Secret password;
  std::string code;
};
// Nothing: it is no object with these keys as texts. `name` and `code` may be missing.
std::optional<Shown> read_shown(std::string_view json);
// "pause 12 power cut" of {"command": "pause 12", "reason": "power cut"}. Nothing: it is no such object.
std::optional<std::string> read_command(std::string_view json);

struct SessionView {
  const WebSession& session;
  std::string csrf;
  bool confirmed = false;
  std::int64_t idle_s = 0, ends_s = 0;
};
std::string session_json(const SessionView& view);
std::string sessions_json(const std::vector<WebSession>& list, const WebSession& own, core::Instant now);
std::string admin_result_json(const core::AdminResult& result);

std::string error_json(std::string_view why);
std::string needs_code_json();
std::string confirm_json();

}  // namespace fuhyo::net
