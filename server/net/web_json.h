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
// Which rows of a command's table are told: of those with `search` in a cell, in capitals or not, a page.
struct RowsWanted {
  std::string search;
  bool last_first = false;
  std::size_t offset = 0;  // one behind the last page is that of the last page
  std::size_t limit = 0;   // 0: all
};
constexpr std::size_t kMostRowsWanted = 1'000;

struct CommandBody {
  std::string line;  // "pause 12 power cut" of {"command": "pause 12", "reason": "power cut"}
  RowsWanted rows = {};
};
// Nothing: it is no such object, or `limit` is beyond the most.
std::optional<CommandBody> read_command(std::string_view json);

struct SessionView {
  const WebSession& session;
  std::string csrf;
  bool confirmed = false;
  std::int64_t idle_s = 0, ends_s = 0;
};
std::string session_json(const SessionView& view);
std::string sessions_json(const std::vector<WebSession>& list, const WebSession& own, core::Instant now);
std::string admin_result_json(const core::AdminResult& result, const RowsWanted& wanted = {});

// `flag`: a key that is true, by which programs tell the refusal; empty: its status says all.
std::string error_json(std::string_view why, std::string_view flag = {});
std::string needs_code_json();
std::string confirm_json();

}  // namespace fuhyo::net
