#include "server/core/logins/accounts.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/enum_names.h"

namespace fuhyo::core {
namespace {

constexpr std::array<std::string_view, 3> kPolicies = {"open", "claim", "closed"};
constexpr std::array<std::string_view, 3> kBrowserPolicies = {"anybody", "accounts", "nobody"};
constexpr std::size_t kProven = 4096;
constexpr std::int64_t kProvenFor = 600 * kSecond;

char plain(char c) {
  if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (c == '0') return 'o';
  if (c == '1' || c == 'i') return 'l';
  return c;
}

}  // namespace

std::string name_key(std::string_view name) {
  std::string key;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '.') continue;
    key += plain(c);
    for (const auto& [pair, letter] : {std::pair<std::string_view, char>{"rn", 'm'}, {"vv", 'w'}}) {
      if (!key.ends_with(pair)) continue;
      key.resize(key.size() - pair.size());
      key += letter;
    }
  }
  return key.empty() ? std::string(name) : key;  // of separators alone: nothing looks like it
}

std::string_view to_string(AccountPolicy policy) { return kPolicies[static_cast<std::size_t>(policy)]; }
std::string_view to_string(BrowserPolicy policy) { return kBrowserPolicies[static_cast<std::size_t>(policy)]; }

std::optional<AccountPolicy> account_policy_of(std::string_view word) {
  return shogi::value_named<AccountPolicy>(kPolicies, word);
}
std::optional<BrowserPolicy> browser_policy_of(std::string_view word) {
  return shogi::value_named<BrowserPolicy>(kBrowserPolicies, word);
}

// Each part between two stars at the first place where it stands: what comes later has the most room then.
bool fits(std::string_view pattern, std::string_view game_name) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == game_name;
  if (!game_name.starts_with(pattern.substr(0, star))) return false;
  game_name.remove_prefix(star);
  for (;;) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == std::string_view::npos) return game_name.ends_with(pattern);
    const std::size_t at = game_name.find(pattern.substr(0, star));
    if (at == std::string_view::npos) return false;
    game_name.remove_prefix(at + star);
  }
}

const AccountSet* Accounts::find(std::string_view name) const {
  const auto found = by_key_.find(name_key(name));
  return found == by_key_.end() ? nullptr : &found->second;
}

void Accounts::set(AccountSet account) {
  std::string key = name_key(account.name);
  by_key_.insert_or_assign(std::move(key), std::move(account));
}

void Accounts::erase(std::string_view name) { by_key_.erase(name_key(name)); }

Credential& add_credential(AccountSet& account, CredentialKind kind, std::string label, Wall made) {
  if (kind == CredentialKind::password)
    std::erase_if(account.credentials, [&](auto& each) { return each.kind == kind; });
  std::string id = fmt::format("{}{}", to_string(kind).front(), ++account.issued);
  return account.credentials.emplace_back(
      Credential{.id = std::move(id), .kind = kind, .hash = {}, .label = std::move(label), .made = made});
}

bool ProvenPasswords::holds(const std::string& proof, Instant now) const {
  const auto found = proven_.find(proof);
  return found != proven_.end() && now < found->second.until;
}

void ProvenPasswords::add(std::string proof, std::string account_key, Instant now) {
  if (proven_.size() >= kProven) {
    std::erase_if(proven_, [now](const auto& entry) { return entry.second.until <= now; });
  }
  if (proven_.size() >= kProven) proven_.clear();  // each of them costs one slow hash again
  proven_.insert_or_assign(std::move(proof), Proven{std::move(account_key), now + kProvenFor});
}

void ProvenPasswords::forget(std::string_view account_key) {
  std::erase_if(proven_, [account_key](const auto& entry) { return entry.second.account_key == account_key; });
}

}  // namespace fuhyo::core
