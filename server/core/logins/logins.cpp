#include "server/core/logins/logins.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/password_checks.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

TimerKey refusal_timer(ConnId conn) { return {TimerKey::Kind::refusal, value(conn)}; }

std::string_view eol(bool crlf) { return crlf ? "\r\n" : "\n"; }

// 127.0.0.0/8 and ::1: nobody reads along.
bool is_this_machine(std::string_view address) {
  return address == "::1" || address.starts_with("127.") || address.starts_with("::ffff:127.");
}

bool is_private(const Session& s) { return s.secure || is_this_machine(s.address); }

}  // namespace

// ---- the line ----

void Logins::log_in(Session& s, const ClientLine& e) {
  if (csa::is_other_protocol(e.text)) return turn_out(s, e.crlf);
  auto read = csa::parse_login(e.text, rules_.max_identifier);
  if (!read) {
    count_refusal(Refusal::malformed_login);
    return refuse_login(s, e.crlf, read.error().hint);
  }
  if (context_.draining) {
    count_refusal(Refusal::stopping);
    send_ungated(s.conn, csa::login_incorrect(false, eol(e.crlf)));
    return parts_.sessions.drop(s, "shutting down");
  }
  LoginUnderWay login{.login = std::move(*read), .crlf = e.crlf, .since = now_.mono};
  if (!login.login.x1) {
    auto csa_mode = csa::parse_csa_password(login.login.password.reveal(), rules_.max_identifier);
    login.trip = std::move(csa_mode.trip);
    login.game = std::move(csa_mode.game);
    login.turn = csa_mode.turn;
  } else {
    login.trip = login.login.password;
  }
  if (!login.login.x1 && reads_along(s, login.game.text)) return refuse_plain(s, login);
  s.login = std::move(login);
  identify(s);
}

void Logins::refuse_login(Session& s, bool crlf, bool hint, std::string_view why) {
  send_ungated(s.conn, csa::login_incorrect(hint, eol(crlf)).append(why));
  if (++s.login_tries >= limits_.login_tries) parts_.sessions.drop(s, "too many wrong logins");
}

// A scanner, who says more lines than one and comes again.
void Logins::turn_out(Session& s, bool crlf) {
  if (context_.refusals.tell(now_.mono)) {
    note(Note::Level::warning, fmt::format("refused {}: it speaks no CSA{}", s.peer, context_.refusals.untold()));
  }
  send_ungated(s.conn, csa::login_incorrect(false, eol(crlf)));
  parts_.sessions.drop(s, "speaks no CSA");
}

// Before the secret is looked at: the answer tells nothing of it.
void Logins::refuse_plain(Session& s, const LoginUnderWay& login) {
  count_refusal(Refusal::tls_required);
  refuse_login(s, login.crlf, false, csa::tls_wanted(login.game.text, eol(login.crlf)));
}

// His secret was right: he may hear why.
void Logins::refuse_browser(Session& s) {
  count_refusal(Refusal::not_admitted);
  const LoginUnderWay login = std::move(*s.login);
  s.login.reset();
  refuse_login(s, login.crlf, false, csa::browsers_shut(login.game.text, eol(login.crlf)));
}

// ---- who it is ----

void Logins::identify(Session& s) {
  const csa::Login& login = s.login->login;
  const bool spared = s.kind == ConnectionKind::builtin || parts_.sessions.is_spared(s.address);
  if (!spared && penalties_.wait_us(name_key(login.name), s.address, now_.mono) > 0) return turn_away(s, false);
  const bool of_staff = rules_.operators.contains(login.name);
  const bool staff_secret = s.login->trip && rules_.operator_secret &&
                            (!of_staff || rules_.operator_secret(login.name, s.login->trip->reveal()));
  if (of_staff && !staff_secret) return turn_away(s, true);
  if (forbidden_.contains(login.name)) return turn_away(s, false);
  if (!login.reconnect.empty()) {
    if (!parts_.games.is_token_of(login.reconnect, login.name)) return turn_away(s, true);
    return enter(s, nullptr);
  }
  if (of_staff || s.kind == ConnectionKind::builtin || !rules_.secrets.keyed) return enter(s, nullptr);
  if (const AccountSet* account = accounts_.find(login.name)) return prove(s, *account);
  const AccountPolicy policy = login.x1 ? rules_.accounts : policy_of(s.login->game.text);
  if (rules_.reserved.contains(name_key(login.name)) || policy == AccountPolicy::closed) return turn_away(s, true);
  if (policy == AccountPolicy::open) return enter(s, nullptr);
  if (!s.login->trip) return turn_away(s, false);
  if (!claim(s, login.name, rules_.secrets.keyed("secret", s.login->trip->reveal()))) return turn_away(s, false);
  enter(s, accounts_.find(login.name));
}

// Whether what was shown is one of the secrets of the account.
void Logins::prove(Session& s, const AccountSet& account) {
  const csa::Login& login = s.login->login;
  if (account.name != login.name || !s.login->trip) return turn_away(s, true);
  const std::string_view shown = s.login->trip->reveal();
  const std::string keyed = rules_.secrets.keyed("secret", shown);
  for (const Credential& credential : account.credentials) {
    if (credential.kind == CredentialKind::legacy) {
      if (!rules_.secrets.legacy || !csa::same(rules_.secrets.legacy(shown), credential.hash)) continue;
      modernise(account, credential.id, keyed);
      return enter(s, accounts_.find(login.name));
    }
    if (credential.kind != CredentialKind::password && csa::same(keyed, credential.hash)) return enter(s, &account);
  }
  // A password is for places that matter more: it is not taken where others can read along.
  if (!is_private(s)) return turn_away(s, true);
  const auto password = std::ranges::find(account.credentials, CredentialKind::password, &Credential::kind);
  if (password == account.credentials.end()) return turn_away(s, true);
  if (parts_.password_checks.is_right_at_once(account, *password, *s.login->trip)) return enter(s, &account);
  PasswordCheck check = parts_.password_checks.check_of(account, *password, *s.login->trip);
  if (check.hash.empty()) return turn_away(s, true);
  check.conn = s.conn;
  parts_.password_checks.check_password(std::move(check), s.address);
}

// ---- no ----

// The same answer at the same time, whatever is wrong. `guilty`: a secret was wrong, and that counts.
void Logins::turn_away(Session& s, bool guilty) {
  count_refusal(guilty ? Refusal::wrong_secret : Refusal::not_admitted);
  const std::string& name = s.login->login.name;
  if (guilty && s.kind != ConnectionKind::builtin && !parts_.sessions.is_spared(s.address)) {
    penalties_.failed(name_key(name), s.address, now_.mono);
  }
  if (context_.refusals.tell(now_.mono)) {
    note(Note::Level::warning, fmt::format("{} was refused as {}{}", s.peer, name, context_.refusals.untold()));
  }
  timers_.set(refusal_timer(s.conn), answer_time(s.login->since));
}

// What takes longer than that to find out is told at the next full second of waiting.
Instant Logins::answer_time(Instant since) const {
  const std::int64_t past_us = std::max<std::int64_t>(0, now_.mono - since);
  const std::int64_t steps = past_us / std::max<std::int64_t>(1, limits_.refusal_us) + 1;
  return since + steps * limits_.refusal_us;
}

void Logins::refusal_due(ConnId conn) {
  Session* s = parts_.sessions.find(conn);
  if (s == nullptr || !s->login) return;
  const bool crlf = s->login->crlf;
  s->login.reset();
  refuse_login(*s, crlf, false);
  parts_.sessions.answer_held(conn);
}

// ---- yes ----

// `account`: whose secret was shown; null: the name has none, or needs none.
void Logins::enter(Session& s, const AccountSet* account) {
  const LoginUnderWay& l = *s.login;
  const csa::Login& login = l.login;
  const auto post = rules_.operators.find(login.name);
  const bool of_staff = post != rules_.operators.end();
  const bool has_trip = l.trip.has_value();
  std::string id = login.name;
  if (account != nullptr) {
    id = account->id;
    penalties_.succeeded(name_key(login.name), s.address);
  } else if (of_staff) {  // everybody sees ids: it says nothing of the secret, and no trip gives it (it has a line end)
    id += "+" + rules_.trip_hash("operator\n" + login.name);
  } else if (has_trip) {
    id += "+" + rules_.trip_hash(l.trip->reveal());
  }
  if (!login.x1 && !may_enter(login.name, account != nullptr, l.game.text)) return turn_away(s, false);
  if (!login.x1 && !may_come_by(s.kind, account != nullptr, l.game.text)) return refuse_browser(s);
  const bool proven_owner = has_trip || !login.reconnect.empty();
  if (!yield_name(login, id, proven_owner, s, eol(l.crlf))) return;
  if (!parts_.sessions.has_place(
          s, account != nullptr || of_staff || parts_.games.is_awaited(s, login.name, id, has_trip)))
    return turn_away(s, false);
  if (of_staff) s.role = post->second;
  s.by_token = !login.reconnect.empty();
  s.account = account != nullptr;
  if (l.trip && rules_.secrets.keyed) s.trip_proof = rules_.secrets.keyed("secret", l.trip->reveal());
  const LoginUnderWay done = std::move(*s.login);
  s.login.reset();
  admit(s, done.login, std::move(id), has_trip);
  s.wish = done.turn;
  if (parts_.games.come_back(s)) return;
  if (!done.login.x1) parts_.lobby.want(s, {.game_name = done.game.text, .turn = done.turn});
}

// shogi-server: the same name with the same trip replaces a session that is not playing; else the newcomer is refused.
// Where a player may come back to his game, or the rules give sessions over, he need not wait until his lost connection
// is noticed either.
bool Logins::yield_name(const csa::Login& login, const std::string& id, bool owner, Session& newcomer,
                        std::string_view line_end) {
  Session* const holder = parts_.sessions.find_name(login.name);
  if (holder == nullptr) return true;
  Session& old = *holder;
  const GameSession* game = parts_.games.find(old.game);
  const bool playing = game != nullptr && game->game.phase().has_started();
  const bool kept = playing && parts_.games.may_come_back(*game);
  const bool fresh = now_.mono - old.since < limits_.takeover_us;
  const bool moves_over = owner && playing && (kept || (rules_.takeover && !fresh));
  const bool idle = old.phase != Phase::game && (!playing || kept);
  const bool can_go_on = game == nullptr || !reads_along(newcomer, game->game.opened().game_name);
  if (old.id == id && can_go_on && (idle || moves_over)) {
    newcomer.login_order = old.login_order;  // it keeps its place
    old.given_over = moves_over;
    parts_.sessions.drop(old, "logged in again");
    return true;
  }
  count_refusal(Refusal::name_in_use);
  send(newcomer.conn, csa::login_duplicate(login.name, login.x1, line_end));
  note(Note::Level::warning, fmt::format("{} tried to log in as {}, who is connected", newcomer.peer, login.name));
  parts_.sessions.drop(newcomer, "name in use");
  return false;
}

void Logins::admit(Session& s, const csa::Login& login, std::string id, bool has_trip) {
  s.phase = Phase::connected;
  s.x1 = login.x1;
  s.name = login.name;
  s.id = std::move(id);
  s.has_trip = has_trip;
  s.since = now_.mono;
  parts_.sessions.admit(s);
  put(LineLimit{s.conn, limits_.line});
  note(Note::Level::info, fmt::format("{} logged in from {} ({})", s.name, s.peer, s.x1 ? "x1" : "CSA"));
  send(s.conn, csa::login_ok(s.name, s.x1));
  parts_.tournaments.come_to_event(s);
}

// ---- accounts ----

const EntryRule* Logins::entry_of(std::string_view game_name) const {
  const auto rule = std::ranges::find_if(rules_.entry, [&](const EntryRule& e) { return fits(e.games, game_name); });
  return rule == rules_.entry.end() ? nullptr : &*rule;
}

AccountPolicy Logins::policy_of(std::string_view game_name) const {
  const Room* room = parts_.rooms.known().claiming(game_name);
  if (room != nullptr && room->rules.accounts) return *room->rules.accounts;
  const EntryRule* rule = entry_of(game_name);
  return rule == nullptr ? rules_.accounts : rule->accounts;
}

bool Logins::wants_tls(std::string_view game_name) const {
  const Room* room = parts_.rooms.known().claiming(game_name);
  if (room != nullptr && room->rules.tls) return *room->rules.tls;
  const EntryRule* rule = entry_of(game_name);
  return rule != nullptr && rule->tls;
}

// Whether others may read a game that the host wants to be private.
bool Logins::reads_along(const Session& s, std::string_view game_name) const {
  return wants_tls(game_name) && s.kind != ConnectionKind::builtin && !is_private(s);
}

bool Logins::may_enter(std::string_view name, bool has_account, std::string_view game_name) const {
  const EntryRule* rule = entry_of(game_name);
  const Room* room = parts_.rooms.known().claiming(game_name);
  const bool asks = rule != nullptr || (room != nullptr && room->rules.accounts);
  if (asks && policy_of(game_name) != AccountPolicy::open && !has_account) return false;
  if (room != nullptr && !room->players.empty()) return room->players.contains(name_key(name));
  return rule == nullptr || rule->players.empty() || rule->players.contains(name_key(name));
}

bool Logins::may_come_by(ConnectionKind kind, bool has_account, std::string_view game_name) const {
  if (kind != ConnectionKind::web) return true;
  const Room* room = parts_.rooms.known().claiming(game_name);
  const EntryRule* rule = entry_of(game_name);
  const BrowserPolicy policy = room != nullptr && room->rules.browsers ? *room->rules.browsers
                               : rule != nullptr                       ? rule->browsers
                                                                       : BrowserPolicy::anybody;
  return policy == BrowserPolicy::anybody || (policy == BrowserPolicy::accounts && has_account);
}

bool Logins::may_enter_builtin(const Session& s, std::string_view game_name) const {
  const Room* room = parts_.rooms.known().find(parts_.rooms.room_for(s, game_name));
  if (room == nullptr || room->rules.builtin.empty()) return true;
  return std::ranges::find(room->rules.builtin, s.name) != room->rules.builtin.end();
}

// From now on the name belongs to the owner of this secret.
bool Logins::claim(const Session& s, const std::string& name, std::string proof) {
  if (accounts_.size() >= limits_.accounts || accounts_.find(name) != nullptr ||
      rules_.reserved.contains(name_key(name))) {
    return false;
  }
  for (const auto& [each, role] : rules_.operators) {
    if (name_key(each) == name_key(name)) return false;
  }
  if (!parts_.sessions.is_spared(s.address)) penalties_.charge(s.address, limits_.claim_us, now_.mono);
  const csa::Secret* trip = s.login && s.login->trip ? &*s.login->trip : nullptr;
  keep_account({.name = name,
                .id = trip != nullptr ? name + "+" + rules_.trip_hash(trip->reveal()) : s.id,
                .role = "player",
                .credentials = {{.id = "t1",
                                 .kind = CredentialKind::trip,
                                 .hash = std::move(proof),
                                 .label = "claimed",
                                 .made = now_.wall}},
                .issued = 1,
                .second_factor = 0,
                .by = name,
                .why = "claimed from " + s.address,
                .made = now_.wall,
                .at = now_.wall});
  note(Note::Level::info, fmt::format("{} ({}) has claimed the name", name, s.peer));
  return true;
}

// A trip that the old server knew by its MD5 is kept as ours are from now on.
void Logins::modernise(const AccountSet& account, std::string_view credential, const std::string& keyed) {
  AccountSet changed = account;
  const auto old = std::ranges::find(changed.credentials, credential, &Credential::id);
  old->kind = CredentialKind::trip;
  old->hash = keyed;
  changed.by = account.name;
  changed.why = "logged in with the trip of the old server";
  keep_account(std::move(changed));
}

// The same password, hashed as it is done today: nobody has to log in again for that. The account as it is now.
const AccountSet* Logins::renew(AccountSet account, std::string_view credential, const std::string& renewed) {
  std::ranges::find(account.credentials, credential, &Credential::id)->hash = renewed;
  account.by = account.name;
  account.why = "its password is hashed anew";
  account.at = now_.wall;
  append(account);
  const std::string name = account.name;
  accounts_.set(std::move(account));
  return accounts_.find(name);
}

void Logins::keep_account(AccountSet account) {
  account.at = now_.wall;
  parts_.password_checks.forget(account.name);
  put(AccountChanged{account.name});
  append(account);
  accounts_.set(std::move(account));
}

void Logins::delete_account(AccountDeleted fact) {
  const std::string name = fact.name;
  append(std::move(fact));
  accounts_.erase(name);
  put(AccountChanged{name});
  parts_.password_checks.forget(name);
  // Sessions of an account that is gone go on as those of any player without one.
  Session* s = parts_.sessions.find_name(name);
  if (s == nullptr) return;
  s->account = false;
  s->commands_until.reset();
}

// Each code is good once.
bool Logins::is_good_code(const AccountSet& account, std::string_view code) {
  if (account.second_factor == 0 || !rules_.secrets.code_step) return false;
  const auto step = rules_.secrets.code_step(account.name, account.second_factor, code, now_.wall);
  if (!step) return false;
  const auto used = code_steps_.find(account.name);
  if (used != code_steps_.end() && *step <= used->second) return false;
  code_steps_.insert_or_assign(account.name, *step);
  return true;
}

// The role in which a session may give commands.
Role Logins::role_of(const Session& s) const {
  if (!s.commands_until || now_.mono >= *s.commands_until) return s.role;
  const AccountSet* account = accounts_.find(s.name);  // it may have changed since
  if (account == nullptr || !s.account || account->name != s.name) return s.role;
  return std::max(s.role, role_named(account->role).value_or(Role::player));
}

void Logins::forget_codes(std::string_view name) {
  if (const auto used = code_steps_.find(name); used != code_steps_.end()) code_steps_.erase(used);
}

// ---- names ----

void Logins::forbid(NameForbidden fact) {
  append(fact);
  forbidden_.insert_or_assign(fact.name, fact);
}

void Logins::allow(NameAllowed fact) {
  forbidden_.erase(fact.name);
  append(std::move(fact));
}

// ---- the settings ----

void Logins::keep(const Fact& fact) {
  if (const auto* name = std::get_if<NameForbidden>(&fact)) forbidden_.insert_or_assign(name->name, *name);
  if (const auto* account = std::get_if<AccountSet>(&fact)) accounts_.set(*account);
  if (const auto* gone = std::get_if<AccountDeleted>(&fact)) accounts_.erase(gone->name);
  if (const auto* kept = std::get_if<KeyKept>(&fact)) key_fingerprint_ = kept->fingerprint;
}

void Logins::change_rules(Rules rules) {
  rules.zone = std::move(context_.rules.zone);
  rules.seed = context_.rules.seed;
  context_.rules = std::move(rules);
  for (auto& [conn, s] : parts_.sessions.all()) {
    const auto post = rules_.operators.find(s.name);
    // Who became an operator while connected has not shown the secret.
    s.role = post == rules_.operators.end() ? Role::player : std::min(s.role, post->second);
  }
}
}  // namespace fuhyo::core
