// Who may come in, under which name: LOGIN, accounts and their secrets, what a wrong one costs (PROTOCOL.md, "Login"
// and "Accounts").
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/state.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

TimerKey login_timer(ConnId conn) { return {TimerKey::Kind::login, value(conn)}; }
TimerKey refusal_timer(ConnId conn) { return {TimerKey::Kind::refusal, value(conn)}; }

std::string_view eol(bool crlf) { return crlf ? "\r\n" : "\n"; }

// 127.0.0.0/8 and ::1: nobody reads along.
bool is_this_machine(std::string_view address) {
  return address == "::1" || address.starts_with("127.") || address.starts_with("::ffff:127.");
}

bool is_private(const Session& s) { return s.secure || is_this_machine(s.address); }

}  // namespace

// ---- the line ----

void Server::State::log_in(Session& s, const Line& e) {
  if (csa::is_other_protocol(e.text)) return turn_out(s, e.crlf);
  auto read = csa::parse_login(e.text, rules.max_identifier);
  if (!read) {
    count_refusal(Refusal::malformed_login);
    return refuse_login(s, e.crlf, read.error().hint);
  }
  if (draining) {
    count_refusal(Refusal::stopping);
    send_ungated(s.conn, csa::login_incorrect(false, eol(e.crlf)));
    return drop(s, "shutting down");
  }
  LoginUnderWay login{.login = std::move(*read), .crlf = e.crlf, .since = now.mono};
  if (!login.login.x1) {
    auto csa_mode = csa::parse_csa_password(login.login.password.reveal(), rules.max_identifier);
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

// Further lines wait until this one is answered.
void Server::State::hold(Session& s, const Line& e) {
  if (s.held.size() >= limits.queued_lines) {
    count_refusal(Refusal::flooding);
    return drop(s, "too many lines before the answer to LOGIN");
  }
  s.held.push_back(e);
}

void Server::State::answer_held(ConnId conn) {
  for (;;) {
    Session* s = find(conn);
    if (s == nullptr || s->held.empty() || s->login) return;
    const Line line = std::move(s->held.front());
    s->held.pop_front();
    on(line);
  }
}

void Server::State::refuse_login(Session& s, bool crlf, bool hint) {
  send_ungated(s.conn, csa::login_incorrect(hint, eol(crlf)));
  if (++s.login_tries >= limits.login_tries) drop(s, "too many wrong logins");
}

// A scanner, who says more lines than one and comes again.
void Server::State::turn_out(Session& s, bool crlf) {
  if (refusals.tell(now.mono)) {
    note(Note::Level::warning, fmt::format("refused {}: it speaks no CSA{}", s.peer, refusals.untold()));
  }
  send_ungated(s.conn, csa::login_incorrect(false, eol(crlf)));
  drop(s, "speaks no CSA");
}

// Before the secret is looked at: the answer tells nothing of it.
void Server::State::refuse_plain(Session& s, const LoginUnderWay& login) {
  count_refusal(Refusal::tls_required);
  const std::string_view end = eol(login.crlf);
  send_ungated(s.conn, csa::login_incorrect(false, end) + csa::tls_wanted(login.game.text, end));
  if (++s.login_tries >= limits.login_tries) drop(s, "too many wrong logins");
}

// ---- who it is ----

void Server::State::identify(Session& s) {
  const csa::Login& login = s.login->login;
  const bool spared = s.door == Door::builtin || is_spared(s.address);
  if (!spared && penalties.wait_us(name_key(login.name), s.address, now.mono) > 0) return turn_away(s, false);
  const bool of_staff = rules.operators.contains(login.name);
  const bool staff_secret = s.login->trip && rules.operator_secret &&
                            (!of_staff || rules.operator_secret(login.name, s.login->trip->reveal()));
  if (of_staff && !staff_secret) return turn_away(s, true);
  if (forbidden.contains(login.name)) return turn_away(s, false);
  if (!login.reconnect.empty()) {
    if (!is_token_of(login.reconnect, login.name)) return turn_away(s, true);
    return enter(s, nullptr);
  }
  if (of_staff || s.door == Door::builtin || !rules.secrets.keyed) return enter(s, nullptr);
  if (const AccountSet* account = accounts.find(login.name)) return prove(s, *account);
  const AccountPolicy policy = login.x1 ? rules.accounts : policy_of(s.login->game.text);
  if (rules.reserved.contains(name_key(login.name)) || policy == AccountPolicy::closed) return turn_away(s, true);
  if (policy == AccountPolicy::open) return enter(s, nullptr);
  if (!s.login->trip) return turn_away(s, false);
  if (!claim(s, login.name, rules.secrets.keyed("secret", s.login->trip->reveal()))) return turn_away(s, false);
  enter(s, accounts.find(login.name));
}

// Whether what was shown is one of the secrets of the account.
void Server::State::prove(Session& s, const AccountSet& account) {
  const csa::Login& login = s.login->login;
  if (account.name != login.name || !s.login->trip) return turn_away(s, true);
  const std::string_view shown = s.login->trip->reveal();
  const std::string keyed = rules.secrets.keyed("secret", shown);
  for (const Credential& credential : account.credentials) {
    if (credential.kind == CredentialKind::legacy) {
      if (!rules.secrets.legacy || !csa::same(rules.secrets.legacy(shown), credential.hash)) continue;
      modernise(account, credential.id, keyed);
      return enter(s, accounts.find(login.name));
    }
    if (credential.kind != CredentialKind::password && csa::same(keyed, credential.hash)) return enter(s, &account);
  }
  // A password is for places that matter more: it is not taken where others can read along.
  if (!is_private(s)) return turn_away(s, true);
  const auto password = std::ranges::find(account.credentials, CredentialKind::password, &Credential::kind);
  if (password == account.credentials.end()) return turn_away(s, true);
  if (is_right_at_once(account, *password, *s.login->trip)) return enter(s, &account);
  PasswordCheck check = check_of(account, *password, *s.login->trip);
  if (check.hash.empty()) return turn_away(s, true);
  check.conn = s.conn;
  check_password(std::move(check), s.address);
}

// ---- no ----

// The same answer at the same time, whatever is wrong. `guilty`: a secret was wrong, and that counts.
void Server::State::turn_away(Session& s, bool guilty) {
  count_refusal(guilty ? Refusal::wrong_secret : Refusal::not_admitted);
  const std::string& name = s.login->login.name;
  if (guilty && s.door != Door::builtin && !is_spared(s.address)) {
    penalties.failed(name_key(name), s.address, now.mono);
  }
  if (refusals.tell(now.mono)) {
    note(Note::Level::warning, fmt::format("{} was refused as {}{}", s.peer, name, refusals.untold()));
  }
  timers.set(refusal_timer(s.conn), answer_time(s.login->since));
}

// What takes longer than that to find out is told at the next full second of waiting.
Instant Server::State::answer_time(Instant since) const {
  const std::int64_t past_us = std::max<std::int64_t>(0, now.mono - since);
  const std::int64_t steps = past_us / std::max<std::int64_t>(1, limits.refusal_us) + 1;
  return since + steps * limits.refusal_us;
}

void Server::State::refusal_due(ConnId conn) {
  Session* s = find(conn);
  if (s == nullptr || !s->login) return;
  const bool crlf = s->login->crlf;
  s->login.reset();
  refuse_login(*s, crlf, false);
  answer_held(conn);
}

// ---- yes ----

// `account`: whose secret was shown; null: the name has none, or needs none.
void Server::State::enter(Session& s, const AccountSet* account) {
  const LoginUnderWay& l = *s.login;
  const csa::Login& login = l.login;
  const auto post = rules.operators.find(login.name);
  const bool of_staff = post != rules.operators.end();
  const bool has_trip = l.trip.has_value();
  std::string id = login.name;
  if (account != nullptr) {
    id = account->id;
    penalties.succeeded(name_key(login.name), s.address);
  } else if (of_staff) {  // everybody sees ids: it says nothing of the secret, and no trip gives it (it has a line end)
    id += "+" + rules.trip_hash("operator\n" + login.name);
  } else if (has_trip) {
    id += "+" + rules.trip_hash(l.trip->reveal());
  }
  if (!login.x1 && !may_enter(login.name, account != nullptr, l.game.text)) return turn_away(s, false);
  const bool proven_owner = has_trip || !login.reconnect.empty();
  if (!yield_name(login, id, proven_owner, s, eol(l.crlf))) return;
  if (!has_place(s, account != nullptr || of_staff || is_awaited(s, login.name, id, has_trip)))
    return turn_away(s, false);
  if (of_staff) s.role = post->second;
  s.by_token = !login.reconnect.empty();
  s.account = account != nullptr;
  if (l.trip && rules.secrets.keyed) s.trip_proof = rules.secrets.keyed("secret", l.trip->reveal());
  const LoginUnderWay done = std::move(*s.login);
  s.login.reset();
  admit(s, done.login, std::move(id), has_trip);
  s.wish = done.turn;
  if (come_back(s)) return;
  if (!done.login.x1) want(s, {.game_name = done.game.text, .turn = done.turn});
}

// shogi-server: the same name with the same trip replaces a session that is not playing; else the newcomer is refused.
// Where a player may come back to his game, or the rules give sessions over, he need not wait until his broken line is
// noticed either.
bool Server::State::yield_name(const csa::Login& login, const std::string& id, bool owner, Session& newcomer,
                               std::string_view line_end) {
  const auto holder = names.find(login.name);
  if (holder == names.end()) return true;
  Session& old = *find(holder->second);
  const Table* table = find(old.game);
  const bool playing = table != nullptr && table->started;
  const bool kept = playing && may_come_back(*table);
  const bool fresh = now.mono - old.since < limits.takeover_us;
  const bool moves_over = owner && playing && (kept || (rules.takeover && !fresh));
  const bool idle = old.phase != Phase::game && (!playing || kept);
  const bool can_go_on = table == nullptr || !reads_along(newcomer, table->game.opened().game_name);
  if (old.id == id && can_go_on && (idle || moves_over)) {
    newcomer.login_order = old.login_order;  // it keeps its place
    old.given_over = moves_over;
    drop(old, "logged in again");
    return true;
  }
  count_refusal(Refusal::name_in_use);
  send(newcomer.conn, csa::login_duplicate(login.name, login.x1, line_end));
  note(Note::Level::warning, fmt::format("{} tried to log in as {}, who is connected", newcomer.peer, login.name));
  drop(newcomer, "name in use");
  return false;
}

void Server::State::admit(Session& s, const csa::Login& login, std::string id, bool has_trip) {
  if (s.door != Door::builtin) --unknown;
  count_down(unknown_per_network, s.network);
  strangers.erase(s.conn);
  timers.cancel(login_timer(s.conn));
  s.phase = Phase::connected;
  s.x1 = login.x1;
  s.name = login.name;
  s.id = std::move(id);
  s.has_trip = has_trip;
  s.since = now.mono;
  if (s.login_order == 0) s.login_order = ++logins;
  names.emplace(s.name, s.conn);
  by_login.emplace(s.login_order, s.conn);
  out->push_back(LineLimit{s.conn, limits.line});
  note(Note::Level::info, fmt::format("{} logged in from {} ({})", s.name, s.peer, s.x1 ? "x1" : "CSA"));
  send(s.conn, csa::login_ok(s.name, s.x1));
  come_to_event(s);
}

// ---- accounts ----

const EntryRule* Server::State::entry_of(std::string_view game_name) const {
  const auto rule = std::ranges::find_if(rules.entry, [&](const EntryRule& e) { return fits(e.games, game_name); });
  return rule == rules.entry.end() ? nullptr : &*rule;
}

AccountPolicy Server::State::policy_of(std::string_view game_name) const {
  const Room* room = rooms.claiming(game_name);
  if (room != nullptr && room->rules.accounts) return *room->rules.accounts;
  const EntryRule* rule = entry_of(game_name);
  return rule == nullptr ? rules.accounts : rule->accounts;
}

bool Server::State::wants_tls(std::string_view game_name) const {
  const Room* room = rooms.claiming(game_name);
  if (room != nullptr && room->rules.tls) return *room->rules.tls;
  const EntryRule* rule = entry_of(game_name);
  return rule != nullptr && rule->tls;
}

// Whether others may read a game that the host wants to be private.
bool Server::State::reads_along(const Session& s, std::string_view game_name) const {
  return wants_tls(game_name) && s.door != Door::builtin && !is_private(s);
}

bool Server::State::may_enter(std::string_view name, bool has_account, std::string_view game_name) const {
  const EntryRule* rule = entry_of(game_name);
  const Room* room = rooms.claiming(game_name);
  const bool asks = rule != nullptr || (room != nullptr && room->rules.accounts);
  if (asks && policy_of(game_name) != AccountPolicy::open && !has_account) return false;
  if (room != nullptr && !room->players.empty()) return room->players.contains(name_key(name));
  return rule == nullptr || rule->players.empty() || rule->players.contains(name_key(name));
}

bool Server::State::may_enter_builtin(const Session& s, std::string_view game_name) const {
  const Room* room = rooms.find(room_for(s, game_name));
  if (room == nullptr || room->rules.builtin.empty()) return true;
  return std::ranges::find(room->rules.builtin, s.name) != room->rules.builtin.end();
}

// The name belongs to whoever knows the secret from now on.
bool Server::State::claim(const Session& s, const std::string& name, std::string proof) {
  if (accounts.size() >= limits.accounts || accounts.find(name) != nullptr || rules.reserved.contains(name_key(name))) {
    return false;
  }
  for (const auto& [each, role] : rules.operators) {
    if (name_key(each) == name_key(name)) return false;
  }
  if (!is_spared(s.address)) penalties.charge(s.address, limits.claim_us, now.mono);
  const csa::Secret* trip = s.login && s.login->trip ? &*s.login->trip : nullptr;
  keep_account(
      {.name = name,
       .id = trip != nullptr ? name + "+" + rules.trip_hash(trip->reveal()) : s.id,
       .role = "player",
       .credentials =
           {{.id = "t1", .kind = CredentialKind::trip, .hash = std::move(proof), .label = "claimed", .made = now.wall}},
       .issued = 1,
       .second_factor = 0,
       .by = name,
       .why = "claimed from " + s.address,
       .made = now.wall,
       .at = now.wall});
  note(Note::Level::info, fmt::format("{} ({}) has claimed the name", name, s.peer));
  return true;
}

// A trip that the old server knew by its MD5 is kept as ours are from now on.
void Server::State::modernise(const AccountSet& account, std::string_view credential, const std::string& keyed) {
  AccountSet changed = account;
  const auto old = std::ranges::find(changed.credentials, credential, &Credential::id);
  old->kind = CredentialKind::trip;
  old->hash = keyed;
  changed.by = account.name;
  changed.why = "logged in with the trip of the old server";
  keep_account(std::move(changed));
}

// The same password, hashed as it is done today: nobody has to log in again for that. The account as it is now.
const AccountSet* Server::State::renew(AccountSet account, std::string_view credential, const std::string& renewed) {
  std::ranges::find(account.credentials, credential, &Credential::id)->hash = renewed;
  account.by = account.name;
  account.why = "its password is hashed anew";
  account.at = now.wall;
  append(account);
  const std::string name = account.name;
  accounts.set(std::move(account));
  return accounts.find(name);
}

void Server::State::keep_account(AccountSet account) {
  account.at = now.wall;
  proven.forget(name_key(account.name));
  out->push_back(AccountChanged{account.name});
  append(account);
  accounts.set(std::move(account));
}

}  // namespace fuhyo::core
