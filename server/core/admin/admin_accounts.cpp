// The commands about accounts. A secret that is made here is told once, in the table of the answer, and never in its
// text: that goes to the log and to the audit.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/admin/admin_commands.h"
#include "server/core/counted.h"
#include "server/csa/command.h"

namespace fuhyo::core {
namespace {

constexpr std::size_t kLabel = 64;

std::string date(const TimeZone& zone, Wall at) {
  const CivilTime t = civil(at, zone);
  return fmt::format("{:04}-{:02}-{:02}", t.year, t.month, t.day);
}

}  // namespace

AdminResult AdminCommands::accounts() {
  const std::string_view pattern = words.next();
  AdminResult result{.ok = true, .text = {}, .columns = {"name", "role", "secrets", "code", "made", "id"}, .rows = {}};
  std::size_t found = 0;
  for (const auto& [key, account] : core.logins.accounts().all()) {
    if (!admin_finds(pattern, account.name) || ++found > kMostListed) continue;
    std::string kinds;
    for (const Credential& each : account.credentials) {
      kinds += (kinds.empty() ? "" : " ") + std::string(core::to_string(each.kind));
    }
    result.rows.push_back({account.name, account.role, kinds, account.second_factor == 0 ? "" : "yes",
                           date(core.context.rules.zone, account.made), account.id});
  }
  result.text = admin_listed(
      fmt::format("{}; without one: {}", counted(found, "account"), core::to_string(core.context.rules.accounts)),
      found);
  return result;
}

AdminResult AdminCommands::account() {
  AdminResult refusal;
  const AccountSet* found = the_account(refusal);
  if (found == nullptr) return refusal;
  AdminResult result{.ok = true, .text = {}, .columns = {"secret", "kind", "label", "made"}, .rows = {}};
  for (const Credential& each : found->credentials) {
    result.rows.push_back(
        {each.id, std::string(core::to_string(each.kind)), each.label, date(core.context.rules.zone, each.made)});
  }
  result.text = fmt::format("{}, {}; one-time codes: {}; changed by {}{}", found->name, found->role,
                            found->second_factor == 0 ? "no" : "yes", found->by,
                            found->why.empty() ? "" : " (" + found->why + ")");
  return result;
}

AdminResult AdminCommands::account_add() {
  const std::string name(words.next());
  const std::string_view word = words.next();
  const auto role = word.empty() ? std::optional(Role::player) : role_named(word);
  if (!csa::is_identifier(name, core.context.rules.max_identifier)) return admin_refusal("no name was given");
  if (!role) return admin_refusal("the role is one of player, host, admin");
  if (!core.context.rules.secrets.keyed) return admin_refusal("this server has no key for secrets");
  if (core.context.rules.operators.contains(name))
    return admin_refusal(name + " is an operator: see the configuration");
  if (const AccountSet* taken = core.logins.accounts().find(name)) {
    return admin_refusal(taken->name == name ? fmt::format("{} has an account already", name)
                                             : fmt::format("{} looks like {}, who has an account", name, taken->name));
  }
  if (core.logins.accounts().size() >= core.context.limits.accounts)
    return admin_refusal("there are too many accounts");
  why = words.rest();
  core.logins.keep_account({.name = name,
                            .id = name + "+" + core.context.rules.trip_hash("account\n" + name_key(name)),
                            .role = std::string(core::to_string(*role)),
                            .credentials = {},
                            .issued = 0,
                            .second_factor = 0,
                            .by = caller.who,
                            .why = why,
                            .made = core.context.now.wall,
                            .at = {}});
  return admin_done(
      fmt::format("{} has an account ({}); token or password gives it a secret", name, core::to_string(*role)));
}

AdminResult AdminCommands::account_role() {
  AdminResult refusal;
  const AccountSet* found = the_account(refusal);
  if (found == nullptr) return refusal;
  const auto role = role_named(words.next());
  if (!role) return admin_refusal("the role is one of player, host, admin");
  why = words.rest();
  AccountSet changed = *found;
  changed.role = core::to_string(*role);
  change(std::move(changed));
  return admin_done(fmt::format("{} is {} now", found->name, core::to_string(*role)));
}

AdminResult AdminCommands::account_delete() {
  AdminResult refusal;
  const AccountSet* found = the_account(refusal);
  if (found == nullptr) return refusal;
  why = words.rest();
  if (why.empty()) return admin_refusal("taking an account away needs its reason");
  const std::string name = found->name;
  core.logins.delete_account({.name = name, .by = caller.who, .why = why, .at = core.context.now.wall});
  return admin_done(fmt::format("{} has no account any more", name));
}

// ---- secrets ----

AdminResult AdminCommands::token() { return issue(CredentialKind::token); }
AdminResult AdminCommands::password() { return issue(CredentialKind::password); }

AdminResult AdminCommands::issue(CredentialKind kind) {
  AdminResult refusal;
  const AccountSet* found = the_account(refusal);
  if (found == nullptr) return refusal;
  if (!may_tell_secrets(refusal)) return refusal;
  std::string label(words.rest());
  if (label.size() > kLabel) return admin_refusal(fmt::format("a label has at most {} bytes", kLabel));
  AccountSet changed = *found;
  Credential& made = add_credential(changed, kind, std::move(label), core.context.now.wall);
  if (changed.credentials.size() > core.context.limits.credentials) {
    return admin_refusal(fmt::format("{} has {} secrets already", found->name, found->credentials.size()));
  }
  // Nobody who lacks the server's key can tell it, and no other one is ever the same.
  const std::string secret = core.context.rules.secrets.keyed(
      "token",
      fmt::format("{}\n{}\n{}\n{}", changed.name, made.id, core.context.now.wall.us, value(core.context.newest)));
  made.hash = core.context.rules.secrets.keyed("secret", secret);
  AdminResult result{
      .ok = true,
      .text = fmt::format("{} {} of {} is made, and told this once", core::to_string(kind), made.id, changed.name),
      .columns = {"name", "secret", "what it is"},
      .rows = {{changed.name, made.id, secret}}};
  change(std::move(changed));
  return result;
}

AdminResult AdminCommands::revoke() {
  AdminResult refusal;
  const AccountSet* found = the_account(refusal);
  if (found == nullptr) return refusal;
  const std::string_view id = words.next();
  AccountSet changed = *found;
  if (std::erase_if(changed.credentials, [id](const Credential& each) { return each.id == id; }) == 0) {
    return admin_refusal(fmt::format("{} has no secret {}; see account {}", found->name, id, found->name));
  }
  why = words.rest();
  change(std::move(changed));
  return admin_done(
      fmt::format("{} of {} is good no more; who is connected stays so: kick ends that", id, found->name));
}

AdminResult AdminCommands::second_factor() {
  AdminResult refusal;
  const AccountSet* found = the_account(refusal);
  if (found == nullptr) return refusal;
  const std::string_view word = words.next();
  if (word != "on" && word != "off") return admin_refusal("second-factor NAME on|off");
  if (!core.context.rules.secrets.code_address) return admin_refusal("this server has no key for secrets");
  if (!may_tell_secrets(refusal)) return refusal;
  AccountSet changed = *found;
  AdminResult result = admin_done(fmt::format("{} needs no one-time code any more", found->name));
  if (word == "on") {
    changed.second_factor = ++changed.issued;  // a number that it never had: another secret than any before
    result = {.ok = true,
              .text = fmt::format("{} needs a one-time code from now on; its secret is told this once", found->name),
              .columns = {"name", "for the authenticator"},
              .rows = {{found->name, core.context.rules.secrets.code_address(found->name, changed.second_factor)}}};
  } else {
    changed.second_factor = 0;
  }
  core.logins.forget_codes(found->name);
  change(std::move(changed));
  return result;
}

// ---- what they share ----

const AccountSet* AdminCommands::the_account(AdminResult& refusal) {
  const std::string_view name = words.next();
  const AccountSet* found = core.logins.accounts().find(name);
  if (found != nullptr && found->name == name) return found;
  refusal = admin_refusal(name.empty() ? "no name was given" : fmt::format("{} has no account", name));
  return nullptr;
}

// Over the CSA port an answer would lie in logs of both sides.
bool AdminCommands::may_tell_secrets(AdminResult& refusal) const {
  if (!caller.conn) return true;
  refusal = admin_refusal("secrets are not told over the CSA port: use fuhyo admin");
  return false;
}

void AdminCommands::change(AccountSet account) {
  account.by = caller.who;
  account.why = why;
  core.logins.keep_account(std::move(account));
}

// ---- players.yaml ----

void Admin::on(const AccountsRead& e) {
  const auto caller = caller_of(e.token);
  if (!caller) return;
  std::size_t made = 0, known = 0, bad = 0;
  for (const std::string& id : e.ids) {
    const std::size_t plus = id.find('+');
    const std::string name = id.substr(0, plus);
    const std::string digits = plus == std::string::npos ? std::string() : id.substr(plus + 1);
    const bool good = csa::is_identifier(name, rules_.max_identifier) && digits.size() == 32 &&
                      digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!good) {
      ++bad;
      continue;
    }
    const bool taken = parts_.logins.accounts().find(name) != nullptr || rules_.operators.contains(name);
    if (taken || parts_.logins.accounts().size() >= limits_.accounts) {
      ++known;
      continue;
    }
    ++made;
    AccountSet account{.name = name, .id = id, .by = caller->who, .why = "load-accounts", .made = now_.wall};
    account.credentials.push_back(
        {.id = "l1", .kind = CredentialKind::legacy, .hash = digits, .label = "players.yaml", .made = now_.wall});
    account.issued = 1;
    parts_.logins.keep_account(std::move(account));
  }
  answer(*caller,
         {.ok = true,
          .text = fmt::format("{} made; left out: {} taken (or like one that is), {} that are no name with a trip",
                              counted(made, "account"), counted(known, "name"), bad),
          .columns = {},
          .rows = {}});
}

}  // namespace fuhyo::core
