// Checks of passwords against slow hashes on another thread, for the CSA port and the web: the queue and the results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/logins/accounts.h"
#include "server/core/logins/fair_queue.h"
#include "server/core/part.h"
#include "server/csa/secret.h"

namespace fuhyo::core {

// Without a credential the answer is no, and takes as long.
struct PasswordCheck {
  std::optional<ConnId> conn;        // of the session that logs in
  std::optional<std::uint64_t> web;  // or the token of a web login
  std::string name, credential, proof, hash;
  csa::Secret secret;
};

class PasswordChecks : Part {
 public:
  explicit PasswordChecks(const Parts& parts) : Part(parts), checks_(parts.context.limits.password_checks) {}

  void on(const PasswordChecked& e);

  bool is_right_at_once(const AccountSet& account, const Credential& password, const csa::Secret& shown) const;
  PasswordCheck check_of(const AccountSet& account, const Credential& password, const csa::Secret& shown) const;
  void check_password(PasswordCheck check, std::string_view address);
  void forget(std::string_view name);  // the credentials of its account have changed
  std::size_t waiting() const { return checks_.size() + (checking_ ? 1 : 0); }

 private:
  std::string proof_of(const AccountSet& account, std::string_view credential, std::string_view shown) const;
  void check_next();
  bool is_still_to_check(const PasswordCheck& check);
  void leave_unchecked(const PasswordCheck& check, std::int64_t wait_us);
  void judge(const PasswordCheck& check, const PasswordChecked& e);

  ProvenPasswords proven_;
  FairQueue<PasswordCheck> checks_;
  std::optional<PasswordCheck> checking_;  // its hash is being compared; its token is the newest
  std::uint64_t tokens_ = 0;
};

}  // namespace fuhyo::core
