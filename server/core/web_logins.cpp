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
  web_logins.insert_or_assign(e.token, WebLoginUnderWay{.asked = e, .since = now.mono});
  const bool spared = is_spared(e.address);
  const std::int64_t wait_us = spared ? 0
                                      : std::max(penalties.wait_us(name_key(e.name), e.address, now.mono),
                                                 penalties.shut_out_us(e.address, now.mono));
  if (wait_us > 0) {
    count_refusal(Refusal::not_admitted);
    web_logins.erase(e.token);
    out->push_back(WebLoginAnswer{.token = e.token, .wait_s = (wait_us + kSecond - 1) / kSecond});
    return;
  }
  const AccountSet* account = accounts.find(e.name);
  if (account == nullptr || account->name != e.name || !rules.secrets.keyed) return refuse_web(e.token, true);
  const auto password = std::ranges::find(account->credentials, CredentialKind::password, &Credential::kind);
  if (password == account->credentials.end()) return refuse_web(e.token, true);
  if (password->hash.starts_with('$')) {
    if (!ask_for_check({}, e.token, *account, *password, e.password)) refuse_web(e.token, false);
    return;
  }
  if (!csa::same(rules.secrets.keyed("secret", e.password.reveal()), password->hash)) return refuse_web(e.token, true);
  admit_web(e.token, *account);
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
  if (!is_spared(asked.address)) penalties.succeeded(name_key(account.name), asked.address);
  note(Note::Level::info, fmt::format("{} {} on the web from {}", account.name,
                                      asked.confirm ? "has shown again who it is" : "logged in", asked.address));
  web_logins.erase(token);
  out->push_back(WebLoginAnswer{.token = token, .ok = true, .name = account.name, .role = role});
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
}

void Server::State::web_refusal_due(std::uint64_t token) {
  if (web_logins.erase(token) != 0) out->push_back(WebLoginAnswer{.token = token});
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
