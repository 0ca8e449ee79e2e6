// Names and who they belong to: how names are compared, what proves that somebody is the owner of one, and which games
// ask for that. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/core/account_facts.h"
#include "server/core/ids.h"

namespace fuhyo::core {

// Names that a reader would take for one another have the same key: case, the dash, the dot and the underscore do not
// count, nor does 0 against O, or 1 against l and I, nor rn against m, or vv against w.
std::string name_key(std::string_view name);

// Who may log in under a name that has no account.
enum class AccountPolicy : std::uint8_t {
  open,   // anybody, as with shogi-server
  claim,  // the first who uses it; his trip owns it from then on
  closed  // nobody
};
std::string_view to_string(AccountPolicy policy);
std::optional<AccountPolicy> account_policy_of(std::string_view word);

// Who may play from a page, by a WebSocket.
enum class BrowserPolicy : std::uint8_t { anybody, accounts, nobody };
std::string_view to_string(BrowserPolicy policy);
std::optional<BrowserPolicy> browser_policy_of(std::string_view word);

// What games of a name ask of their players; the first rule that fits a game name counts.
struct EntryRule {
  std::string games;  // a game name; * stands for any characters
  AccountPolicy accounts = AccountPolicy::open;
  std::set<std::string> players;  // the keys of their names; empty: everybody
  bool tls = false;               // only where nobody can read along
  BrowserPolicy browsers = BrowserPolicy::anybody;
};
// Whether "club-*" stands for "club-900-5F".
bool fits(std::string_view pattern, std::string_view game_name);

// The accounts of a server by the keys of their names.
class Accounts {
 public:
  const AccountSet* find(std::string_view name) const;  // of that name, or of one that looks like it
  void set(AccountSet account);
  void erase(std::string_view name);
  std::size_t size() const { return by_key_.size(); }
  const std::map<std::string, AccountSet, std::less<>>& all() const { return by_key_; }

 private:
  std::map<std::string, AccountSet, std::less<>> by_key_;
};

// A new credential of the account, whose number is one more than any before it ("t4"); its hash is the caller's to set.
// There is one password at most: a new one takes the place of the former.
Credential& add_credential(AccountSet& account, CredentialKind kind, std::string label, Wall made);

// Passwords that were right a short while ago, so that a program that logs in for each game costs one slow hash in ten
// minutes. Holds keyed hashes of name and password, never these themselves.
class ProvenPasswords {
 public:
  bool holds(const std::string& proof, Instant now) const;
  void add(std::string proof, std::string account_key, Instant now);
  void forget(std::string_view account_key);  // its credentials have changed

 private:
  struct Proven {
    std::string account_key;
    Instant until;
  };
  std::unordered_map<std::string, Proven> proven_;
};

}  // namespace fuhyo::core
