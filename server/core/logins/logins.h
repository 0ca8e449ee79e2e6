// Logins on the CSA port: LOGIN, accounts and their secrets, penalties for wrong ones (PROTOCOL.md, "Login" and
// "Accounts").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "server/core/logins/accounts.h"
#include "server/core/logins/penalties.h"
#include "server/core/part.h"
#include "server/core/sessions/session.h"

namespace fuhyo::core {

class Logins : Part {
 public:
  explicit Logins(const Parts& parts) : Part(parts), penalties_(parts.context.limits.penalties) {}

  void keep(const Fact& fact);  // what stood at the start
  void change_rules(Rules rules);

  void log_in(Session& s, const ClientLine& e);
  // `account`: whose secret was shown; null: the name has none, or needs none.
  void enter(Session& s, const AccountSet* account);
  // Refuses with the same answer after the same time, whatever is wrong. `guilty`: a secret was wrong, which adds to
  // the penalties.
  void turn_away(Session& s, bool guilty);
  void refusal_due(ConnId conn);
  Instant answer_time(Instant since) const;

  AccountPolicy policy_of(std::string_view game_name) const;
  bool reads_along(const Session& s, std::string_view game_name) const;
  bool may_enter(std::string_view name, bool has_account, std::string_view game_name) const;
  bool may_come_by(ConnectionKind kind, bool has_account, std::string_view game_name) const;
  bool may_enter_builtin(const Session& s, std::string_view game_name) const;
  bool claim(const Session& s, const std::string& name, std::string proof);

  const Accounts& accounts() const { return accounts_; }
  void keep_account(AccountSet account);
  void delete_account(AccountDeleted fact);
  const AccountSet* renew(AccountSet account, std::string_view credential, const std::string& renewed);
  bool is_good_code(const AccountSet& account, std::string_view code);
  void forget_codes(std::string_view name);  // its second factor is another one now
  Role role_of(const Session& s) const;      // in which it may give commands

  Penalties& penalties() { return penalties_; }
  const std::map<std::string, NameForbidden, std::less<>>& forbidden() const { return forbidden_; }
  void forbid(NameForbidden fact);
  void allow(NameAllowed fact);
  const std::string& key_fingerprint() const { return key_fingerprint_; }

 private:
  void refuse_plain(Session& s, const LoginUnderWay& login);
  void refuse_login(Session& s, bool crlf, bool hint, std::string_view why = {});
  void turn_out(Session& s, bool crlf);
  void refuse_browser(Session& s);
  void identify(Session& s);
  void prove(Session& s, const AccountSet& account);
  bool yield_name(const csa::Login& login, const std::string& id, bool owner, Session& newcomer,
                  std::string_view line_end);
  void admit(Session& s, const csa::Login& login, std::string id, bool has_trip);
  const EntryRule* entry_of(std::string_view game_name) const;  // null: no setting is about the name
  bool wants_tls(std::string_view game_name) const;
  void modernise(const AccountSet& account, std::string_view credential, const std::string& keyed);

  Accounts accounts_;
  Penalties penalties_;
  std::map<std::string, std::int64_t, std::less<>> code_steps_;  // of each account the newest one-time code used
  std::map<std::string, NameForbidden, std::less<>> forbidden_;
  std::string key_fingerprint_;  // as the store has it
};

}  // namespace fuhyo::core
