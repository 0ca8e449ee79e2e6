// Passwords whose slow hashes are compared beside the core, of the CSA port and of the web: who waits for whom, and
// what comes of it.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/state.h"

namespace fuhyo::core {
namespace {

bool is_slow(const Credential& credential) { return credential.hash.starts_with('$'); }

}  // namespace

std::string Server::State::proof_of(const AccountSet& account, std::string_view credential,
                                    std::string_view shown) const {
  return rules.secrets.keyed("proof", fmt::format("{}\n{}\n{}", name_key(account.name), credential, shown));
}

// It is kept as a keyed hash, or was right a short while ago: nobody has to wait for a slow one.
bool Server::State::is_right_at_once(const AccountSet& account, const Credential& password,
                                     const csa::Secret& shown) const {
  if (is_slow(password)) return proven.holds(proof_of(account, password.id, shown.reveal()), now.mono);
  return csa::same(rules.secrets.keyed("secret", shown.reveal()), password.hash);
}

// Of one that is not slow: nobody's hash.
PasswordCheck Server::State::check_of(const AccountSet& account, const Credential& password,
                                      const csa::Secret& shown) const {
  return {.name = account.name,
          .credential = password.id,
          .proof = proof_of(account, password.id, shown.reveal()),
          .hash = is_slow(password) ? password.hash : "",
          .secret = shown};
}

// One after the other: who comes next is decided when the former is done.
void Server::State::check_password(PasswordCheck check, std::string_view address) {
  const bool reserved = rules.admin_address && rules.admin_address(address);
  const auto without_place = checks.push(std::move(check), address, reserved);
  if (without_place) leave_unchecked(*without_place, limits.refusal_us);
  check_next();
}

void Server::State::check_next() {
  while (!checking) {
    auto next = checks.pop();
    if (!next) return;
    if (!is_still_to_check(*next)) continue;
    out->push_back(CheckPassword{.token = ++check_tokens, .hash = next->hash, .secret = std::move(next->secret)});
    checking = std::move(next);
  }
}

// Whoever asked may have gone, or have been wrong so often meanwhile that he has to wait: many who ask at once for one
// name are no more than one who asks often.
bool Server::State::is_still_to_check(const PasswordCheck& check) {
  const Session* s = check.conn ? find(*check.conn) : nullptr;
  const auto web = check.web ? web_logins.find(*check.web) : web_logins.end();
  std::int64_t wait = 0;
  if (web != web_logins.end()) {
    wait = wait_us(web->second.asked);
  } else if (s == nullptr || !s->login) {
    return false;
  } else if (!is_spared(s->address)) {
    wait = penalties.wait_us(name_key(check.name), s->address, now.mono);
  }
  if (wait > 0) leave_unchecked(check, wait);
  return wait == 0;
}

void Server::State::leave_unchecked(const PasswordCheck& check, std::int64_t wait_us) {
  if (check.web) return put_off_web(*check.web, wait_us);
  Session* s = check.conn ? find(*check.conn) : nullptr;
  if (s != nullptr && s->login) turn_away(*s, false);
}

void Server::State::on(const PasswordChecked& e) {
  if (!checking || e.token != check_tokens) return;
  const PasswordCheck check = std::move(*checking);
  checking.reset();
  judge(check, e);
  check_next();
}

void Server::State::judge(const PasswordCheck& check, const PasswordChecked& e) {
  const AccountSet* account = accounts.find(check.name);
  // The account may have changed meanwhile.
  const bool stands =
      account != nullptr && account->name == check.name &&
      std::ranges::find(account->credentials, check.credential, &Credential::id) != account->credentials.end();
  const bool right = e.right && stands;
  if (right) proven.add(check.proof, name_key(check.name), now.mono);
  if (right && !e.renewed.empty()) account = renew(*account, check.credential, e.renewed);
  if (check.web && web_logins.contains(*check.web)) {
    return right ? admit_web(*check.web, *account) : refuse_web(*check.web, true);
  }
  Session* s = check.conn ? find(*check.conn) : nullptr;
  if (s == nullptr || !s->login) return;
  if (!right) return turn_away(*s, true);
  enter(*s, account);
  answer_held(*check.conn);
}

}  // namespace fuhyo::core
