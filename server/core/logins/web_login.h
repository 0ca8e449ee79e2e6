// Logins on the web: the request to the core and its answer. Values only.
#pragma once

#include <cstdint>
#include <string>

#include "server/core/admin/verbs.h"
#include "server/csa/secret.h"

namespace fuhyo::core {

// Somebody wants to log in on the web, or (confirm) is logged in and shows again who he is. Answered by exactly one
// WebLoginAnswer with the same token, as soon for an unknown name as for the wrong password of an account or an
// operator.
struct WebLogin {
  std::uint64_t token = 0;
  std::string name;
  csa::Secret password;
  std::string code;     // of the second factor, six digits; empty: none was given
  std::string address;  // of the browser, "192.0.2.7"
  bool confirm = false;
};

struct WebLoginAnswer {
  std::uint64_t token = 0;
  bool ok = false;
  std::string name;  // of the account, as it is written
  Role role = Role::player;
  bool needs_code = false;  // the password is right, and a code must be given with it
  std::int64_t wait_s = 0;  // refused without a check; try again after so many seconds
};

}  // namespace fuhyo::core
