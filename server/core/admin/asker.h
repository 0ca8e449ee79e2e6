// Who gives a command. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/admin/verbs.h"
#include "server/core/ids.h"

namespace fuhyo::core {

struct AdminAsker {
  std::string who, via;
  Role role = Role::admin;
  std::optional<ConnId> conn;       // of a session
  std::uint64_t token = 0;          // of the administration socket, or the web
  bool confirmed = true;            // as in AdminLine
  std::string_view word = "ADMIN";  // behind which he is answered: a literal
};

}  // namespace fuhyo::core
