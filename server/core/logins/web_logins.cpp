#include "server/core/logins/web_logins.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/logins/logins.h"
#include "server/core/logins/password_checks.h"
#include "server/core/sessions/sessions.h"

namespace fuhyo::core {
namespace {

TimerKey refusal_timer(std::uint64_t token) { return {TimerKey::Kind::web_refusal, token}; }

}  // namespace

void WebLogins::on(const WebLogin& e) {
  if (const std::int64_t wait = wait_us(e); wait > 0) return put_off(e.token, wait);
  under_way_.insert_or_assign(e.token, UnderWay{.asked = e, .since = now_.mono});
  prove(e);
}

std::int64_t WebLogins::wait_us(std::uint64_t token) const { return wait_us(under_way_.at(token).asked); }

std::int64_t WebLogins::wait_us(const WebLogin& e) const {
  if (parts_.sessions.is_spared(e.address)) return 0;
  return std::max(parts_.logins.penalties().wait_us(name_key(e.name), e.address, now_.mono),
                  parts_.logins.penalties().shut_out_us(e.address, now_.mono));
}

// Whatever is not right at once goes the way of a password whose slow hash is compared: operators of the configuration,
// accounts and names that nobody has are refused alike, however many wait.
void WebLogins::prove(const WebLogin& e) {
  PasswordCheck check{.name = e.name};
  if (const auto post = rules_.operators.find(e.name); post != rules_.operators.end()) {
    const bool right = rules_.operator_secret && rules_.operator_secret(e.name, e.password.reveal());
    // His secret is one thing alone: what is for admins needs an account with a second factor.
    if (right) return admit(e.token, e.name, std::min(post->second, Role::host));
  } else if (const AccountSet* account = parts_.logins.accounts().find(e.name);
             account != nullptr && account->name == e.name && rules_.secrets.keyed) {
    const auto password = std::ranges::find(account->credentials, CredentialKind::password, &Credential::kind);
    if (password != account->credentials.end()) {
      if (parts_.password_checks.is_right_at_once(*account, *password, e.password)) return admit(e.token, *account);
      check = parts_.password_checks.check_of(*account, *password, e.password);
    }
  }
  check.web = e.token;
  check.secret = e.password;
  parts_.password_checks.check_password(std::move(check), e.address);
}

// The password is right.
void WebLogins::admit(std::uint64_t token, const AccountSet& account) {
  const WebLogin& asked = under_way_.at(token).asked;
  const Role role = role_named(account.role).value_or(Role::player);
  if (account.second_factor != 0) {
    if (asked.code.empty()) {
      under_way_.erase(token);
      put(WebLoginAnswer{.token = token, .needs_code = true});
      return;
    }
    if (!parts_.logins.is_good_code(account, asked.code)) return refuse(token, true);
  } else if (role == Role::admin) {  // never by a password alone
    note(Note::Level::warning, fmt::format("{} is admin and has no second factor: fuhyo admin second-factor {} on",
                                           account.name, account.name));
    return refuse(token, false);
  }
  admit(token, account.name, role);
}

void WebLogins::admit(std::uint64_t token, const std::string& name, Role role) {
  const WebLogin& asked = under_way_.at(token).asked;
  if (!parts_.sessions.is_spared(asked.address)) parts_.logins.penalties().succeeded(name_key(name), asked.address);
  note(Note::Level::info, fmt::format("{} {} on the web from {}", name,
                                      asked.confirm ? "has shown again who it is" : "logged in", asked.address));
  put(WebLoginAnswer{.token = token, .ok = true, .name = name, .role = role});
  under_way_.erase(token);
}

// Unseen, and at once: it says nothing of the name.
void WebLogins::put_off(std::uint64_t token, std::int64_t us) {
  count_refusal(Refusal::not_admitted);
  under_way_.erase(token);
  put(WebLoginAnswer{.token = token, .wait_s = (us + kSecond - 1) / kSecond});
}

void WebLogins::refuse(std::uint64_t token, bool guilty) {
  count_refusal(guilty ? Refusal::wrong_secret : Refusal::not_admitted);
  const UnderWay& login = under_way_.at(token);
  if (guilty && !parts_.sessions.is_spared(login.asked.address)) {
    parts_.logins.penalties().failed(name_key(login.asked.name), login.asked.address, now_.mono);
  }
  if (context_.refusals.tell(now_.mono)) {
    note(Note::Level::warning, fmt::format("{} was refused on the web as {}{}", login.asked.address, login.asked.name,
                                           context_.refusals.untold()));
  }
  timers_.set(refusal_timer(token), parts_.logins.answer_time(login.since));
  under_way_.erase(token);
}

// The owner has chosen another password; the web side has checked that it is he.
void WebLogins::on(const PasswordChosen& e) {
  const AccountSet* account = parts_.logins.accounts().find(e.name);
  const bool stands = account != nullptr && account->name == e.name;
  const std::string text = stands ? "" : e.name + " has no account any more";
  put(AdminReply{.token = e.token, .result = {.ok = stands, .text = text, .columns = {}, .rows = {}}, .after = {}});
  if (!stands) return;
  AccountSet changed = *account;
  add_credential(changed, CredentialKind::password, {}, now_.wall).hash = e.hash;
  changed.by = e.name;
  changed.why = "chose a password";
  parts_.logins.keep_account(std::move(changed));
}

}  // namespace fuhyo::core
