// People who log in on the web: password, one-time code, what a wrong one costs. Which sessions there are is the web
// side's matter; it hears whenever an account has changed.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/state.h"

namespace fuhyo::core {
namespace {

TimerKey refusal_timer(std::uint64_t token) { return {TimerKey::Kind::web_refusal, token}; }

}  // namespace

void Server::State::on(const WebLogin& e) {
  if (const std::int64_t wait = wait_us(e); wait > 0) return put_off_web(e.token, wait);
  web_logins.insert_or_assign(e.token, WebLoginUnderWay{.asked = e, .since = now.mono});
  prove_web(e);
}

std::int64_t Server::State::wait_us(const WebLogin& e) const {
  if (is_spared(e.address)) return 0;
  return std::max(penalties.wait_us(name_key(e.name), e.address, now.mono), penalties.shut_out_us(e.address, now.mono));
}

// Whatever is not right at once goes the way of a password whose slow hash is compared: operators of the configuration,
// accounts and names that nobody has are refused alike, however many wait.
void Server::State::prove_web(const WebLogin& e) {
  PasswordCheck check{.name = e.name};
  if (const auto post = rules.operators.find(e.name); post != rules.operators.end()) {
    const bool right = rules.operator_secret && rules.operator_secret(e.name, e.password.reveal());
    // His secret is one thing alone: what is for admins needs an account with a second factor.
    if (right) return admit_web(e.token, e.name, std::min(post->second, Role::host));
  } else if (const AccountSet* account = accounts.find(e.name);
             account != nullptr && account->name == e.name && rules.secrets.keyed) {
    const auto password = std::ranges::find(account->credentials, CredentialKind::password, &Credential::kind);
    if (password != account->credentials.end()) {
      if (is_right_at_once(*account, *password, e.password)) return admit_web(e.token, *account);
      check = check_of(*account, *password, e.password);
    }
  }
  check.web = e.token;
  check.secret = e.password;
  check_password(std::move(check), e.address);
}

// The password is right.
void Server::State::admit_web(std::uint64_t token, const AccountSet& account) {
  const WebLogin& asked = web_logins.at(token).asked;
  const Role role = role_named(account.role).value_or(Role::player);
  if (account.second_factor != 0) {
    if (asked.code.empty()) {
      web_logins.erase(token);
      out->push_back(WebLoginAnswer{.token = token, .needs_code = true});
      return;
    }
    if (!is_good_code(account, asked.code)) return refuse_web(token, true);
  } else if (role == Role::admin) {  // never by a password alone
    note(Note::Level::warning, fmt::format("{} is admin and has no second factor: fuhyo admin second-factor {} on",
                                           account.name, account.name));
    return refuse_web(token, false);
  }
  admit_web(token, account.name, role);
}

void Server::State::admit_web(std::uint64_t token, const std::string& name, Role role) {
  const WebLogin& asked = web_logins.at(token).asked;
  if (!is_spared(asked.address)) penalties.succeeded(name_key(name), asked.address);
  note(Note::Level::info, fmt::format("{} {} on the web from {}", name,
                                      asked.confirm ? "has shown again who it is" : "logged in", asked.address));
  out->push_back(WebLoginAnswer{.token = token, .ok = true, .name = name, .role = role});
  web_logins.erase(token);
}

// Unseen, and at once: it says nothing of the name.
void Server::State::put_off_web(std::uint64_t token, std::int64_t us) {
  count_refusal(Refusal::not_admitted);
  web_logins.erase(token);
  out->push_back(WebLoginAnswer{.token = token, .wait_s = (us + kSecond - 1) / kSecond});
}

void Server::State::refuse_web(std::uint64_t token, bool guilty) {
  count_refusal(guilty ? Refusal::wrong_secret : Refusal::not_admitted);
  const WebLoginUnderWay& login = web_logins.at(token);
  if (guilty && !is_spared(login.asked.address)) {
    penalties.failed(name_key(login.asked.name), login.asked.address, now.mono);
  }
  if (refusals.tell(now.mono)) {
    note(Note::Level::warning,
         fmt::format("{} was refused on the web as {}{}", login.asked.address, login.asked.name, refusals.untold()));
  }
  timers.set(refusal_timer(token), answer_time(login.since));
  web_logins.erase(token);
}

// Its owner has chosen another password; whoever asked has made sure that it is he.
void Server::State::on(const PasswordChosen& e) {
  const AccountSet* account = accounts.find(e.name);
  const bool stands = account != nullptr && account->name == e.name;
  const std::string text = stands ? "" : e.name + " has no account any more";
  out->push_back(
      AdminReply{.token = e.token, .result = {.ok = stands, .text = text, .columns = {}, .rows = {}}, .after = {}});
  if (!stands) return;
  AccountSet changed = *account;
  add_credential(changed, CredentialKind::password, {}, now.wall).hash = e.hash;
  changed.by = e.name;
  changed.why = "chose a password";
  keep_account(std::move(changed));
}

}  // namespace fuhyo::core
