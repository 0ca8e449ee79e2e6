#include "server/core/logins/password_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/logins/logins.h"
#include "server/core/logins/web_logins.h"
#include "server/core/sessions/sessions.h"

namespace fuhyo::core {
namespace {

bool is_slow(const Credential& credential) { return credential.hash.starts_with('$'); }

}  // namespace

std::string PasswordChecks::proof_of(const AccountSet& account, std::string_view credential,
                                     std::string_view shown) const {
  return rules_.secrets.keyed("proof", fmt::format("{}\n{}\n{}", name_key(account.name), credential, shown));
}

// It is kept as a keyed hash, or was right a short while ago: nobody has to wait for a slow one.
bool PasswordChecks::is_right_at_once(const AccountSet& account, const Credential& password,
                                      const csa::Secret& shown) const {
  if (is_slow(password)) return proven_.holds(proof_of(account, password.id, shown.reveal()), now_.mono);
  return csa::same(rules_.secrets.keyed("secret", shown.reveal()), password.hash);
}

// Of one that is not slow: nobody's hash.
PasswordCheck PasswordChecks::check_of(const AccountSet& account, const Credential& password,
                                       const csa::Secret& shown) const {
  return {.name = account.name,
          .credential = password.id,
          .proof = proof_of(account, password.id, shown.reveal()),
          .hash = is_slow(password) ? password.hash : "",
          .secret = shown};
}

// One after the other: who comes next is decided when the former is done.
void PasswordChecks::check_password(PasswordCheck check, std::string_view address) {
  const bool reserved = rules_.admin_address && rules_.admin_address(address);
  const auto without_place = checks_.push(std::move(check), address, reserved);
  if (without_place) leave_unchecked(*without_place, limits_.refusal_us);
  check_next();
}

void PasswordChecks::check_next() {
  while (!checking_) {
    auto next = checks_.pop();
    if (!next) return;
    if (!is_still_to_check(*next)) continue;
    put(CheckPassword{.token = ++tokens_, .hash = next->hash, .secret = std::move(next->secret)});
    checking_ = std::move(next);
  }
}

// The client may have gone, or must wait because he was wrong so often meanwhile: many who ask at once for one name are
// no more than one who asks often.
bool PasswordChecks::is_still_to_check(const PasswordCheck& check) {
  const Session* s = check.conn ? parts_.sessions.find(*check.conn) : nullptr;
  std::int64_t wait = 0;
  if (check.web && parts_.web_logins.is_under_way(*check.web)) {
    wait = parts_.web_logins.wait_us(*check.web);
  } else if (s == nullptr || !s->login) {
    return false;
  } else if (!parts_.sessions.is_spared(s->address)) {
    wait = parts_.logins.penalties().wait_us(name_key(check.name), s->address, now_.mono);
  }
  if (wait > 0) leave_unchecked(check, wait);
  return wait == 0;
}

void PasswordChecks::leave_unchecked(const PasswordCheck& check, std::int64_t wait_us) {
  if (check.web) return parts_.web_logins.put_off(*check.web, wait_us);
  Session* s = check.conn ? parts_.sessions.find(*check.conn) : nullptr;
  if (s != nullptr && s->login) parts_.logins.turn_away(*s, false);
}

void PasswordChecks::forget(std::string_view name) { proven_.forget(name_key(name)); }

void PasswordChecks::on(const PasswordChecked& e) {
  if (!checking_ || e.token != tokens_) return;
  const PasswordCheck check = std::move(*checking_);
  checking_.reset();
  judge(check, e);
  check_next();
}

void PasswordChecks::judge(const PasswordCheck& check, const PasswordChecked& e) {
  const AccountSet* account = parts_.logins.accounts().find(check.name);
  // The account may have changed meanwhile.
  const bool stands =
      account != nullptr && account->name == check.name &&
      std::ranges::find(account->credentials, check.credential, &Credential::id) != account->credentials.end();
  const bool right = e.right && stands;
  if (right) proven_.add(check.proof, name_key(check.name), now_.mono);
  if (right && !e.renewed.empty()) account = parts_.logins.renew(*account, check.credential, e.renewed);
  if (check.web && parts_.web_logins.is_under_way(*check.web)) {
    return right ? parts_.web_logins.admit(*check.web, *account) : parts_.web_logins.refuse(*check.web, true);
  }
  Session* s = check.conn ? parts_.sessions.find(*check.conn) : nullptr;
  if (s == nullptr || !s->login) return;
  if (!right) return parts_.logins.turn_away(*s, true);
  parts_.logins.enter(*s, account);
  parts_.sessions.answer_held(*check.conn);
}

}  // namespace fuhyo::core
