// Who gives a command, and where its reply goes. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/admin/verbs.h"
#include "server/core/ids.h"

namespace fuhyo::core {

struct AdminCaller {
  std::string who, via;
  Role role = Role::admin;
  std::optional<ConnId> conn;       // of a session
  std::uint64_t token = 0;          // of the administration socket, or the web
  bool confirmed = true;            // as in AdminLine
  std::string_view word = "ADMIN";  // the word of the reply's lines, "##[ADMIN]": a literal
};

}  // namespace fuhyo::core
