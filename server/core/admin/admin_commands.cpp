// From the line to its answer: who may, who does it, what is written down.
#include "server/core/admin/admin_commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/record/encoding.h"
#include "engines/shogi/number.h"
#include "server/core/admin/admin.h"
#include "server/core/counted.h"
#include "server/core/lobby/lobby.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

// Longest answer to a client of the CSA port; beyond it a connection would be cut for not reading.
constexpr std::size_t kLongestReply = 128 * 1024;

// One line stays one line in logs, records and on the wire.
std::string one_line(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

// The audit log says who did what; a text that was handed over is in its file.
std::string in_short(std::string_view act) {
  constexpr std::size_t kMost = 300;
  if (act.size() <= kMost) return std::string(act);
  return fmt::format("{}... ({} bytes)", record::shortened(act, kMost), act.size());
}

// Events whose settings stay: "cup,club"; "-" where there is none.
std::string begun_among(const std::map<std::string, RunningEvent, std::less<>>& events) {
  std::string names;
  for (const auto& [name, event] : events) {
    if (event.fault().empty() && event.has_begun()) names += (names.empty() ? "" : ",") + name;
  }
  return names.empty() ? "-" : names;
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string no_such_command(std::string_view word) {
  constexpr std::size_t kMost = 40;
  const AdminVerb* meant = word.size() > kMost ? nullptr : nearest_admin_verb(word);
  const std::string hint = meant == nullptr ? "" : fmt::format("did you mean {}? ", meant->verb);
  return fmt::format("no such command: {}; {}see help", word, hint);
}

std::string on_the_wire(const AdminResult& result, std::string_view word) {
  std::string reply;
  AdminResult body = result;
  if (!body.ok) body.text.clear();
  // Records that an older program wrote hold what players said as they said it; other clients clean what they are told.
  for (const std::string& line : render(body)) {
    reply += fmt::format("##[{}] {}\n", word, record::without_controls(line));
  }
  if (reply.size() > kLongestReply) {
    return fmt::format("##[{}] ERROR the answer is too long for this connection; ask with fuhyo admin\n", word);
  }
  return reply + (result.ok ? fmt::format("##[{}] +OK\n", word) : fmt::format("##[{}] ERROR {}\n", word, result.text));
}

}  // namespace

AdminResult admin_done(std::string text) { return {.ok = true, .text = std::move(text), .columns = {}, .rows = {}}; }

AdminResult admin_refusal(std::string text) {
  return {.ok = false, .text = std::move(text), .columns = {}, .rows = {}};
}

std::string admin_listed(std::string text, std::size_t found) {
  if (found > kMostListed) text += fmt::format(" (the first {} are shown)", kMostListed);
  return text;
}

bool admin_finds(std::string_view pattern, std::string_view name) {
  return pattern.empty() || fits(lower(pattern), lower(name));
}

std::optional<std::int64_t> admin_number(std::string_view word) {
  const auto number = shogi::number_of<std::int64_t>(word);
  return number && *number >= 0 ? number : std::nullopt;
}

std::optional<Outcome> admin_verdict(std::string_view word) {
  if (word == "black") return Outcome::black_wins;
  if (word == "white") return Outcome::white_wins;
  if (word == "draw") return Outcome::draw;
  if (word == "void") return Outcome::none;
  return std::nullopt;
}

// ---- who asks ----

void Admin::on(const AdminLine& e) {
  const AdminCaller caller{.who = one_line(e.who),
                           .via = one_line(e.via),
                           .role = e.role,
                           .conn = {},
                           .token = e.token,
                           .confirmed = e.confirmed};
  admin(caller, e.text);
}

// Who has a role by his account gives a one-time code first, and only over a secure connection.
bool Admin::unlock_commands(Session& s, std::string_view text) {
  const AccountSet* account = s.account ? parts_.logins.accounts().find(s.name) : nullptr;
  if (account == nullptr || account->name != s.name || account->role == to_string(Role::player)) return false;
  const AdminCaller caller{.who = s.name, .via = s.peer, .role = Role::player, .conn = s.conn, .token = 0};
  const bool unlocked = s.commands_until && now_.mono < *s.commands_until;
  if (unlocked) return false;
  s.commands_until.reset();
  AdminWords words(text);
  const auto refuse = [&](std::string_view why) {
    note(Note::Level::warning, fmt::format("{} ({}) may not give commands: {}", s.name, s.peer, why));
    answer(caller, admin_refusal(std::string(why)));
    return true;
  };
  if (!s.secure) return refuse("commands are taken over TLS only");
  if (lower(words.next()) != "code") return refuse("show a one-time code first: %%ADMIN code 123456");
  const bool penalised = parts_.logins.penalties().wait_us(name_key(s.name), s.address, now_.mono) > 0;
  if (penalised || !parts_.logins.is_good_code(*account, words.next())) {
    if (!penalised) parts_.logins.penalties().failed(name_key(s.name), s.address, now_.mono);
    return refuse("that code is not good");
  }
  s.commands_until = now_.mono + limits_.commands_us;
  write_down(caller, "code", {}, "commands are taken");
  answer(caller, {.ok = true,
                  .text = "commands are taken for " + counted(limits_.commands_us / kSecond / 60, "minute"),
                  .columns = {},
                  .rows = {}});
  return true;
}

// To a player there is no such command.
void Admin::admin(Session& s, const ClientLine& e, std::string_view text, std::string_view word) {
  if (unlock_commands(s, text)) return;
  const Role role = parts_.logins.role_of(s);
  if (role != Role::player && s.role == Role::player) {
    return admin({.who = s.name, .via = s.peer, .role = role, .conn = s.conn, .token = 0, .word = word}, text);
  }
  if (s.role == Role::player) return send_ungated(s.conn, csa::error("unknown command: " + e.text));
  const AdminCaller caller{.who = s.name, .via = s.peer, .role = s.role, .conn = s.conn, .token = 0, .word = word};
  if (!rules_.admin_address || !rules_.admin_address(s.address)) {
    note(Note::Level::warning, fmt::format("{} may not give commands from {}", s.name, s.address));
    return answer(caller, admin_refusal("commands are not taken from " + s.address + " (admin-networks)"));
  }
  admin(caller, text);
}

void Admin::admin(const AdminCaller& caller, std::string_view line) {
  const std::string text = one_line(line);
  AdminWords words(text);
  const std::string_view word = words.next();
  const AdminVerb* verb = admin_verb_of(text);
  if (verb == nullptr) return answer(caller, admin_refusal(no_such_command(lower(word))));
  if (caller.role < verb->least) {
    return answer(caller, admin_refusal(fmt::format("{} is for the role {}", verb->verb, to_string(verb->least))));
  }
  if (verb->dangerous && !caller.confirmed) {
    return answer(caller, admin_refusal(fmt::format("{} wants to know once more who asks", verb->verb)));
  }
  if (verb->acts && context_.store_is_away()) {
    return answer(caller,
                  admin_refusal(fmt::format("the store is away ({}): nothing is changed", context_.store_fault)));
  }
  if (verb->by_shell) return ask_host(caller, *verb, text, words.rest());
  AdminCommands commands{.core = parts_, .caller = caller, .words = words, .why = {}};
  AdminResult result = (commands.*verb->run)();
  if (verb->acts && result.ok) write_down(caller, text, commands.why, result.text);
  answer(caller, std::move(result));
}

void Admin::write_down(const AdminCaller& caller, std::string_view act, std::string_view why,
                       std::string_view outcome) {
  note(Note::Level::info, fmt::format("{} ({}): {} -> {}", caller.who, caller.via, act, outcome));
  append(AdminActed{.who = caller.who,
                    .via = caller.via,
                    .act = std::string(act),
                    .why = std::string(why),
                    .outcome = std::string(outcome),
                    .at = now_.wall,
                    .local_time = local_time()});
}

// ---- what the shell does ----

void Admin::ask_host(const AdminCaller& caller, const AdminVerb& verb, std::string_view text, std::string_view rest) {
  if (asked_of_host_.size() >= limits_.host_requests) return answer(caller, admin_refusal("too much is asked at once"));
  const std::uint64_t token = ++host_tokens_;
  asked_of_host_.emplace(token, caller);
  const bool writes = verb.verb == "tournament-write";
  if (verb.acts) {
    write_down(caller, writes ? in_short(text) : std::string(text), verb.verb == "drain" ? rest : std::string_view{},
               "asked of the shell");
  }
  std::string told(rest);
  if (writes) told = begun_among(parts_.tournaments.all()) + " " + told;
  put(HostRequest{.token = token, .verb = std::string(verb.verb), .rest = std::move(told), .after = {}});
}

void Admin::on(const HostDone& e) {
  if (const auto caller = caller_of(e.token)) answer(*caller, e.result);
}

std::optional<AdminCaller> Admin::caller_of(std::uint64_t token) {
  auto asked = asked_of_host_.extract(token);
  return asked.empty() ? std::nullopt : std::optional(std::move(asked.mapped()));
}

void Admin::answer(const AdminCaller& caller, AdminResult result) {
  if (!caller.conn) {
    put(AdminReply{.token = caller.token, .result = std::move(result), .after = {}});
  } else if (parts_.sessions.find(*caller.conn) != nullptr) {
    const std::string reply = on_the_wire(result, caller.word);
    context_.only_asks() ? send_ungated(*caller.conn, reply) : send(*caller.conn, reply);
  }
}

// ---- what changes from outside ----

void Admin::on(const StopFile& e) {
  if (context_.stopped == e.present) return;
  context_.stopped = e.present;
  parts_.tournaments.stir();
  if (!context_.stopped) parts_.lobby.pair_everybody();
  note(Note::Level::info,
       context_.stopped ? "the file STOP is there: no new games" : "the file STOP is gone: games as usual");
}

}  // namespace fuhyo::core
